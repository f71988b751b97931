/** The injected script as text; scripts/build.mjs writes the value from src/injected. */
export const script: string
