export const programs: { readonly [file: string]: string }
/** the sources that went into them */
export function buildPrograms(outdir: string, entries?: { readonly [file: string]: string }): Promise<string[]>
