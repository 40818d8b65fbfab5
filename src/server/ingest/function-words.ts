/** Words that only hold sentences together: common in documents and rare in names, so that their rarity misleads. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all almost along already also although always am among an and another any anybody anyone
  anything are around as at away be became because become becomes been before behind being below besides best better
  between both but by came can cannot come comes could did different do does doing done down during each either else
  enough even ever every everybody everyone everything exactly far few first for forth from further gets give gives
  given go goes going gone good got had happen happens has have having he hence her here him his how however i if in
  indeed inside instead into is it its itself just keep keeps kept know known knows largely last later least less let
  lets like likely little long made make makes making many may maybe me meanwhile might more most mostly much must my
  near need needs neither never new next no nobody none nor not nothing now of off often on once one ones only onto or
  other others otherwise our ours out outside over own part per perhaps please possible put quite rather really same say
  says see seem seems seen several shall she should simply since so some somebody someone something sometimes soon still
  stop such take taken takes tell tells than thank that the their theirs them then there therefore these they thing
  things think this those though through throughout thus time times to together told too toward towards under unless
  until up upon us use used useful uses using usual usually very want wants was way we well went were what whatever when
  whenever where whereas wherever whether which while who whoever whole whom whose why will with within without word
  would yes yet you your yours`.split(/\s+/),
);
