/**
 * Each of the languages with a word planted wherever something that is no part of a signature can stand: in
 * bodies, values, literals, attributes, comments, macros, arguments of what a class builds on.
 */
export const SEALED_SOURCES: Readonly<Record<string, string>> = {
  'src/sealed.ts': `// PLANTED_001

const API = "PLANTED_002";
export const apiKey = "PLANTED_003";
export const config = { password: "PLANTED_004", nested: { t: \`PLANTED_005\` } };
export const arrowOne = (x: string) => x + "PLANTED_006";
export const arrowDef = (x = "PLANTED_007", { y = "PLANTED_008" } = {}) => x;
export function fnDefault(a: string = "PLANTED_009", b = { k: "PLANTED_010" }) { /* PLANTED_011 */ return "PLANTED_012"; }
export function typed(a: { k: "PLANTED_013" }, c: () => "PLANTED_014"): "PLANTED_015" { return null as any; }
@Component({ token: "PLANTED_016" })
export class Dec {
  private key = "PLANTED_017";
  static readonly S = "PLANTED_018";
  @Input("PLANTED_019") method(@Inject("PLANTED_020") a: string) { return "PLANTED_021"; }
  get tok() { return "PLANTED_022"; }
  ["PLANTED_023"]() { return 1; }
  handler = (e: Event) => { send("PLANTED_024"); };
}
export enum Keys { A = "PLANTED_025" }
export type T = "PLANTED_026" | "b";
export interface I { a: "PLANTED_027"; }
export default function () { return "PLANTED_028"; }
export const obj = { handlerFn() { return "PLANTED_029"; }, arrow: () => "PLANTED_030" };
export const curried = (a: number) => (b = "PLANTED_031") => a;
export const iife = (() => "PLANTED_032")();
class Ext extends mixin("PLANTED_033") { m() {} }
export const wrapped = memo(function inner(a = "PLANTED_034") { return "PLANTED_035"; });
export const longT = async <T extends { k: "PLANTED_036" }>(a: T) => { const q = "PLANTED_037"; };
function multi(
  a = callIt(() => { return "PLANTED_038"; }),
  re = /PLANTED_039/,
) { }
// const old = "PLANTED_201";
export function afterOld(a /* PLANTED_202 */: string, // PLANTED_203
  b = \`\${"PLANTED_204"}\`, c = /"PLANTED_205/, d = ", PLANTED_206") {}
const before = "PLANTED_207"; /* ends here */
export function afterBlock() {}
export const typedOne: (a: "PLANTED_208") => void = (a) => send("PLANTED_209");
class Heir extends (class { token = "PLANTED_210" }) {}
`,
  'src/sealed.js': `module.exports = { legacy: function (a = "PLANTED_040") { return "PLANTED_041"; } };
exports.send = function send(a) { return "PLANTED_042"; };
const cb = a => "PLANTED_043";
class K { #priv = "PLANTED_044"; static { init("PLANTED_045"); } run() { return \`PLANTED_046\`; } }
function* gen() { yield "PLANTED_047"; }
var secretVar = "PLANTED_048";
/* var was = "PLANTED_211"; */
function afterWas(a /* "PLANTED_212" */) {}
`,
  'src/sealed.py': `"""Module doc."""
TOKEN = "PLANTED_049"
def login(user, password="PLANTED_050", *, t: "PLANTED_051" = None) -> "PLANTED_052":
    # PLANTED_053
    return "PLANTED_054"
@route("/x", key="PLANTED_055")
def handler(a): return "PLANTED_056"
lam = lambda x="PLANTED_057": "PLANTED_058"
class Conf(Base, metaclass=Meta, key="PLANTED_059"):
    secret = "PLANTED_060"
    def run(self, a=("PLANTED_061", 1)): return f"PLANTED_062"
def nodoc():
    "plain doc"
    x = 1
async def multi(
    a={"k": "PLANTED_063"},  # PLANTED_064
    b=1,
): pass
def bodystr():
    x = 1
    "PLANTED_065"
# old = "PLANTED_213"
def after_old(a,  # PLANTED_214
              b=f"{d[", PLANTED_215"]}", c=1): return 1
def one_line(a): return go("PLANTED_216")
while True:
    """PLANTED_217"""
class Tuple(namedtuple("PLANTED_218", "PLANTED_219")): pass
`,
  'src/sealed.go': `package main
const Token = "PLANTED_066"
var secretVar = "PLANTED_067"
func Login(a string) string { return "PLANTED_068" }
type Conf struct { Key string \`json:"PLANTED_069"\` }
func (c *Conf) Run(a int) (string, error) {
  // PLANTED_070
  return "PLANTED_071", nil }
var fnLit = func(a string) string { return "PLANTED_072" }
func TakesStruct(a struct { K string \`x:"PLANTED_073"\` }) {}
func between(a int /* PLANTED_220 */, b string) (
	string, // PLANTED_221
	error,
) { return "PLANTED_222", nil }
`,
  'src/sealed.rs': `const TOKEN: &str = "PLANTED_074";
static KEY: &str = "PLANTED_075";
#[attr(key = "PLANTED_076")]
pub fn login(a: &str) -> String { "PLANTED_077".into() }
#[doc = "PLANTED_078"]
pub struct Conf { pub key: String }
impl Conf { const K: &'static str = "PLANTED_079"; pub fn run(&self) -> u8 { b"PLANTED_080"[0] } }
macro_rules! mac { () => { "PLANTED_081" } }
pub fn arr(a: [u8; { const X: &str = "PLANTED_082"; 3 }]) {}
enum E { A = 77 }
// let old = "PLANTED_223";
pub fn raw_one(a: &str /* a /* "PLANTED_224" */ PLANTED_225 */, b: Foo<{ mk("PLANTED_226") }>) -> u8 { r#"PLANTED_227"#.len() }
const HOOK: fn(&str) -> u8 = |x| send("PLANTED_228");
`,
  'src/Sealed.java': `public class Login {
  private static final String TOKEN = "PLANTED_083";
  @Value("PLANTED_084") private String key;
  @RequestMapping(path = "PLANTED_085") public String run(@Named("PLANTED_086") String a) { return "PLANTED_087"; }
  Runnable r = () -> send("PLANTED_088");
  static { init("PLANTED_089"); }
  enum K { A("PLANTED_090"); K(String s) {} }
  @interface An { String v() default "PLANTED_091"; }
}
record Rec(@Named("PLANTED_092") String a) { }
class Second {
  Runnable first = null, s2 = () -> send("PLANTED_229");
  // String old = "PLANTED_230";
  void commented(String a, // PLANTED_231
      @A({"PLANTED_232"}) int b) throws E { }
}
`,
  'src/Sealed.cs': `public class Login {
  const string Token = "PLANTED_093";
  [Route("PLANTED_094")] public string Run(string a = "PLANTED_095") { return "PLANTED_096"; }
  public string Arrow(int a) => "PLANTED_097";
  public string Prop => "PLANTED_098";
  public string Auto { get; set; } = "PLANTED_099";
  public Login(string a = "PLANTED_100") : base("PLANTED_101") { }
}
public record R(string A = "PLANTED_102") : B("PLANTED_103");
public class P(string a) : B("PLANTED_104") { }
delegate void Dele(string a = "PLANTED_233");
class Own { Own(int b) : this("PLANTED_234") { } void Inward([In("PLANTED_235")] string a, string b = @"a\\", string c = "PLANTED_236") { } }
`,
  'src/sealed.cpp': `#define TOKEN "PLANTED_105"
#define FN(x) send("PLANTED_106", x)
const char* key = "PLANTED_107";
std::string login(std::string a = "PLANTED_108") { return "PLANTED_109"; }
class Conf { std::string k = "PLANTED_110"; public: Conf(int a) : k("PLANTED_111") { } void run() { send("PLANTED_112"); } };
auto lam = [](int a) { return "PLANTED_113"; };
template <class T = decltype("PLANTED_114")> void tmplFn(T a) {}
[[deprecated("PLANTED_115")]] void oldFn() {}
auto noex(int a) noexcept(sizeof("PLANTED_116")) { }
[[nodiscard("PLANTED_237")]] int kept(alignas(sizeof("PLANTED_238")) int a /* PLANTED_239 */, std::string b = R"x(", PLANTED_240)x") { return 1; }
template <class T> requires (sizeof("PLANTED_241") > 1) void needs(T a) requires (sizeof("PLANTED_242") > 1) { }
`,
  'src/sealed.c': `static const char *key = "PLANTED_117";
#define CTOK "PLANTED_118"
int c_login(const char *a) { return strcmp(a, "PLANTED_119"); }
int knr(a) char *a; { return "PLANTED_120"; }
__attribute__((section("PLANTED_121"))) int attrfn(int a) { return 1; }
int spread(int a, // PLANTED_243
#define INSIDE PLANTED_244
  int b) { return 1; }
#define BOTH(a, b) \\
  send("PLANTED_245", a)
`,
  'src/sealed.rb': `TOKEN = "PLANTED_122"
def rlogin(a = "PLANTED_123", k: "PLANTED_124")
  "PLANTED_125"
end
def rone = "PLANTED_126"
def rone2(a) = "PLANTED_127"
class RConf < Struct.new("PLANTED_128")
  KEY = "PLANTED_129"
  def run; "PLANTED_130"; end
  def self.build(x) "PLANTED_131" end
  attr_accessor :x
end
# old = "PLANTED_246"
def rafter(a, # PLANTED_247
           b = %w(PLANTED_248 , PLANTED_249), c = 1)
end
HANDLER = ->(a = "PLANTED_250") { "PLANTED_251" }
`,
  'src/sealed.php': `<?php
const PTOK = "PLANTED_132";
function plogin($a = "PLANTED_133") { return "PLANTED_134"; }
$arrow = fn($x = "PLANTED_135") => "PLANTED_136";
#[Route("PLANTED_137")]
class PConf { const K = "PLANTED_138"; private $p = "PLANTED_139";
 public function __construct(private string $k = "PLANTED_140") {}
 #[A("PLANTED_141")] public function run($x = ['k' => "PLANTED_142"]) { return "PLANTED_143"; } }
function pafter($a, # PLANTED_252
  /* PLANTED_253 */ $b = <<<X
, PLANTED_254
X) {}
`,
  'src/sealed.ps1': `$PsToken = "PLANTED_260"
<# PLANTED_261 = 1; #>
function Send-Ledger {
  [CmdletBinding(DefaultParameterSetName = "PLANTED_262")]
  param([Parameter(HelpMessage = "PLANTED_263")] [string] $Key = "PLANTED_264", # PLANTED_265
    [ValidateSet("PLANTED_266")] $Mode = @"
PLANTED_267
"@, [scriptblock] $Then = { "PLANTED_268" })
  Write-Output "PLANTED_269"
}
filter Select-Ledger($row = 'PLANTED_270', $size = (Get-Size "PLANTED_271")) { "PLANTED_272" }
class Ledger : Base {
  [string] $Secret = "PLANTED_273"
  Ledger([string] $a) : base("PLANTED_274") { $this.Secret = "PLANTED_275" }
  [string] Close([string] $b = "PLANTED_276") { return "PLANTED_277" }
}
enum LedgerKeys { A = 278 }
`,
  'src/sealed.sh': `STOK="PLANTED_166"
shlogin() { echo "PLANTED_167"; }
function shtwo { echo "PLANTED_168"; }
# old="PLANTED_255"
shafter() ( echo "PLANTED_256" )
`,
  'src/sealed.tsx': `export const Btn = ({ label = "PLANTED_174" }: Props) => <a href="PLANTED_175">PLANTED_176</a>;
export const Wrapped = React.memo((p) => <b>PLANTED_177</b>);
export function App() { return <div>PLANTED_178</div>; }
export const Marked = ({ icon = <b>it's PLANTED_257</b>, other = ", PLANTED_258" }) => <i>PLANTED_259</i>;
`,
};
