/** An error as CDP reports it. */
export class CdpError extends Error {
  readonly code: number

  constructor(message: string, code = -32_000) {
    super(message)
    this.code = code
  }
}

// the codes of Chromium: third_party/inspector_protocol/crdtp/dispatch.h
export const methodNotFound = (method: string): CdpError => new CdpError(`'${method}' wasn't found`, -32_601)
export const sessionNotFound = (): CdpError => new CdpError('Session with given id not found.', -32_001)
export const targetNotFound = (): CdpError => new CdpError('No target with given id found', -32_602)
