/** A connection of an engine as what work in a transaction writes with. */
import type { SqlParameters, Writer } from '../db/sql';
import type { EngineConnection } from './connection';

export function writingOn(connection: EngineConnection): Writer {
  return {
    all: (sql, parameters) => connection.all(sql, parameters),
    get: async <Row>(sql: string, parameters?: SqlParameters) => (await connection.all<Row>(sql, parameters))[0],
    run: (sql, parameters) => connection.run(sql, parameters),
    batch: (statements) => (statements.length === 0 ? Promise.resolve([]) : connection.batch(statements)),
  };
}
