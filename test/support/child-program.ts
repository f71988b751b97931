import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Bundles a program that imports `./src/…` into a file that Node can run from anywhere. */
export async function bundleProgram(code: string, folder: string): Promise<string> {
  const built = await build({
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    write: false,
    define: { __VERSION__: '"0"' },
    // packages that are still CommonJS call require
    banner: { js: "import { createRequire as programRequire } from 'node:module'; const require = programRequire(import.meta.url);" },
  })
  const file = join(folder, 'program.mjs')
  writeFileSync(file, built.outputFiles[0]?.text ?? '')
  return file
}

export interface ChildProgram {
  readonly child: ChildProcess
  /** the first line that the program prints; rejects if it exits before */
  readonly line: Promise<string>
  /** the exit code; null if it was killed */
  readonly exit: Promise<number | null>
}

export function startProgram(file: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): ChildProgram {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const exit = new Promise<number | null>(resolve => child.once('exit', resolve))
  const line = new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    exit.then(code => reject(new Error(`the program ended with ${code}: ${text}`)))
  })
  line.catch(() => {}) // a test that does not read it does not fail by it
  return { child, line, exit }
}
