export function buildExtension(outdir?: string): Promise<string>
