/** Where memories come from, and whether a person has looked at them. */
import type { Migration } from '../../db/migrate';

/** The clients that were a person's before it was kept who stored what: the command line, and the editor. */
const CLIENTS_OF_PEOPLE = `('cli', 'VS Code')`;
/** Who stored a row, as far as it was kept. */
const CLIENT = `coalesce(
  (SELECT o.client FROM mem_operations AS o
   WHERE o.created_from = (SELECT max(created_from) FROM mem_operations WHERE created_from <= n.seq) AND o.created_to >= n.seq),
  (SELECT s.client FROM mem_sessions AS s WHERE s.seq = n.session), '')`;
/** A file that somebody else wrote may hold anything there. */
const withStanding = (column: string): string =>
  `${column} = CASE WHEN json_valid(${column}) THEN json_insert(${column}, '$[#]', 'stored') ELSE ${column} END`;

export const origin: Migration = {
  name: 'origin',
  schema: 'ZayBtvspf_vkvkXO060bkU',
  sql: `
-- One row for each source, so that all of a source can be kept or dropped in one act.
CREATE TABLE mem_origins (
  id     INTEGER PRIMARY KEY,
  kind   TEXT NOT NULL,                       -- agent, person, import or document
  name   TEXT NOT NULL,                       -- the client, the file or the document
  hash   TEXT,                                -- of the source's content; null for agents and people
  store  TEXT,                                -- id of the store that it was first stored in; null for this one
  marked INTEGER NOT NULL DEFAULT 0           -- 1 when the agent had read foreign text before it stored this
) STRICT;
CREATE UNIQUE INDEX mem_origins_once ON mem_origins (kind, name, coalesce(hash, ''), coalesce(store, ''), marked);

-- Who answers for what is stored; empty until a store has several people.
CREATE TABLE mem_principals (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL                          -- person, agent or service
) STRICT;

ALTER TABLE mem_nodes ADD COLUMN origin INTEGER;     -- null for entities and sessions
ALTER TABLE mem_nodes ADD COLUMN standing TEXT NOT NULL DEFAULT 'stored';  -- stored, confirmed or proposed
ALTER TABLE mem_nodes ADD COLUMN principal INTEGER;  -- null in a store of one person
ALTER TABLE mem_operations ADD COLUMN call_key TEXT; -- by which a repeated call is recognised; null where none was given
-- Those that wait for a person, for the review of a source.
CREATE INDEX mem_nodes_proposed ON mem_nodes (origin, seq) WHERE standing = 'proposed';

INSERT OR IGNORE INTO mem_origins (kind, name)
  SELECT iif(client IN ${CLIENTS_OF_PEOPLE}, 'person', 'agent'), client
  FROM (SELECT client FROM mem_operations UNION SELECT client FROM mem_sessions UNION SELECT '');
UPDATE mem_nodes AS n
  SET origin = (SELECT g.id FROM mem_origins AS g WHERE g.name = ${CLIENT})
  WHERE n.kind NOT IN ('entity', 'session');
DELETE FROM mem_origins WHERE id NOT IN (SELECT origin FROM mem_nodes WHERE origin IS NOT NULL);
UPDATE mem_history SET ${withStanding('before')}, ${withStanding('"after"')};
`,
};
