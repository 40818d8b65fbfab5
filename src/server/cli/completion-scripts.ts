/** The scripts by which shells complete our commands. Pure. */

/** One command line, as shells know it. */
export interface Completed {
  /** `svc-memory` */
  readonly program: string;
  readonly commands: readonly CompletedCommand[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  readonly options: readonly CompletedOption[];
  /** What may stand in place of an argument. */
  readonly choices: readonly string[];
}

export interface CompletedOption {
  /** `--kinds` */
  readonly flag: string;
  readonly about: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Readonly<Record<Shell, (completed: Completed) => string>> = { bash, zsh, fish };

export function completionScript(shell: Shell, completed: Completed): string {
  return SCRIPTS[shell](completed);
}

function bash({ program, commands }: Completed): string {
  const valued = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flag, choices }) =>
      choices.length === 0 ? [] : [`    '${name} ${flag}') words='${choices.join(' ')}' ;;`],
    ),
  );
  const plain = commands.flatMap(({ name, options, choices }) => [
    `        '${name} -'*) words='${options.map(({ flag }) => flag).join(' ')}' ;;`,
    ...(choices.length === 0 ? [] : [`        '${name} '*) words='${choices.join(' ')}' ;;`]),
  ]);
  return `# Completion of ${program} for bash. In ~/.bashrc:
#   eval "$(${program} completion bash)"
${functionOf(program)}() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -* ]] || { command=\${COMP_WORDS[i]}; break; }
  done
  case "$command \${COMP_WORDS[COMP_CWORD - 1]}" in
${valued.join('\n')}
    *)
      case "$command $current" in
        ' -'*) words='--help --version' ;;
        ' '*) words='${commands.map(({ name }) => name).join(' ')}' ;;
${plain.join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${functionOf(program)} ${program}
`;
}

function zsh({ program, commands }: Completed): string {
  const described = (name: string, about: string): string => quoted(`${name}:${about.replaceAll(':', ' -')}`);
  const valued = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flag, choices }) =>
      choices.length === 0 ? [] : [`    '${name} ${flag}') compadd -- ${choices.join(' ')}; return ;;`],
    ),
  );
  const cases = commands.map(({ name, options, choices }) => {
    const flags = options.map(({ flag, about }) => `        ${described(flag, about)}`).join('\n');
    const others = choices.length === 0 ? '_files' : `compadd -- ${choices.join(' ')}`;
    return `    ${name})
      found=(
${flags}
      )
      if [[ $PREFIX == -* ]]; then _describe -o option found; else ${others}; fi ;;`;
  });
  return `#compdef ${program}
# Completion of ${program} for zsh. In ~/.zshrc, after compinit:
#   eval "$(${program} completion zsh)"
${functionOf(program)}() {
  local command='' i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    [[ $words[i] == -* ]] || { command=$words[i]; break; }
  done
  case "$command $words[CURRENT-1]" in
${valued.join('\n')}
  esac
  case $command in
    '')
      found=(
${commands.map(({ name, about }) => `        ${described(name, about)}`).join('\n')}
      )
      _describe command found ;;
${cases.join('\n')}
  esac
}
compdef ${functionOf(program)} ${program}
`;
}

function fish({ program, commands }: Completed): string {
  const lines = commands.flatMap(({ name, about, options, choices }) => [
    `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${quoted(about)}`,
    ...options.map(({ flag, about: says, takesValue, choices: values }) => {
      const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : '';
      return `complete -c ${program} -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${value} -d ${quoted(says)}`;
    }),
    ...(choices.length === 0
      ? []
      : [`complete -c ${program} -n '__fish_seen_subcommand_from ${name}' -f -a ${quoted(choices.join(' '))}`]),
  ]);
  return `# Completion of ${program} for fish:
#   ${program} completion fish > ~/.config/fish/completions/${program}.fish
${lines.join('\n')}
`;
}

function functionOf(program: string): string {
  return `_${program.replaceAll('-', '_')}`;
}

/** For a shell: a quote in it ends the text, stands alone, and begins it again. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
