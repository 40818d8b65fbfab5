/** The errors of the protocol, by their numbers. */
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';

/** `resources/read` of something that is not there, as the protocol numbers it. */
const RESOURCE_NOT_FOUND = -32002;

/** An error of the protocol, not of a tool. The SDK sends its code and message as they are. */
export class ProtocolError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'ProtocolError';
  }
}

export const invalidParams = (message: string): ProtocolError => new ProtocolError(ErrorCode.InvalidParams, message);
export const methodNotFound = (message: string): ProtocolError => new ProtocolError(ErrorCode.MethodNotFound, message);
export const internalError = (message: string): ProtocolError => new ProtocolError(ErrorCode.InternalError, message);
export const resourceNotFound = (message: string): ProtocolError => new ProtocolError(RESOURCE_NOT_FOUND, message);
