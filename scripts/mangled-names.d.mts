export const mangledNames: readonly string[]
