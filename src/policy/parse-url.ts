// WHATWG URL is in every browser, in Node and in Hermes, and in neither of the libraries that this room is checked with
declare const URL: new (url: string) => ParsedUrl
export interface ParsedUrl {
  readonly href: string
  readonly protocol: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly username: string
  readonly password: string
}

export function parseUrl(text: string): ParsedUrl | null {
  try {
    return new URL(text)
  } catch {
    return null // relative, or broken
  }
}
