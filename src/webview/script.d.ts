/** The injected script as text; scripts/build.mjs writes the value from src/page. */
export const script: string
