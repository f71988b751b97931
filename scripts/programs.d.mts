export const programs: { readonly [file: string]: string }
/** Bundles into a folder and returns the paths of all bundled sources. */
export function buildPrograms(outdir: string, entries?: { readonly [file: string]: string }): Promise<string[]>
/** Bundles the desktop app into a folder and returns the paths of all bundled sources. */
export function buildDesktop(outdir: string): Promise<string[]>
