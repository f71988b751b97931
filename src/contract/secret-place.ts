/**
 * Where a named secret may be entered. `masked`: in fields that hide what is typed, or did so before a person pressed their "show" button.
 * `code`: also in fields for codes, which show them by nature. `any`: its owner has declared it visible.
 */
export type SecretPlace = 'masked' | 'code' | 'any'

/** The documents and fields for a text that contains named secrets. */
export interface SecretRules {
  readonly origins: readonly string[]
  readonly place: SecretPlace
}
