import { redacted } from '../contract/page-api.ts'

/** the names of parameters whose values let somebody in */
const secretName =
  /pass|pwd|secret|token|jwt|otp|pin$|api[-_]?key|access[-_]?key|^key$|^code$|^state$|auth|credential|session|^sid$|signature|^sig$|bearer/i

/** A text whose URLs have no values of parameters that look like a key or a token; their names stay. */
export const withoutSecretParameters = (text: string): string =>
  text.replace(/([?&#;])([^=?&#;\s"'<>]{1,80})=([^&#;\s"'<>]+)/g, (all, start, name) =>
    secretName.test(name) ? `${start}${name}=${redacted}` : all,
  )
