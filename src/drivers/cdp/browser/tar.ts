import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

/** Writes the regular files of a tar archive to a folder; links and devices are skipped. */
export async function untar(archive: Buffer, folder: string): Promise<void> {
  for (const { path, mode, content } of entries(archive)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    await chmod(file, mode)
  }
}

// https://www.gnu.org/software/tar/manual/html_node/Standard.html
function* entries(archive: Buffer): Generator<{ path: string; mode: number; content: Buffer }> {
  const block = 512
  for (let at = 0; at + block <= archive.length && archive[at] !== 0; ) {
    const field = (start: number, length: number) => archive.toString('utf8', at + start, at + start + length).split('\0', 1)[0] ?? ''
    const path = normalize(join(field(345, 155), field(0, 100)))
    const size = Number.parseInt(field(124, 12), 8)
    const isFile = ['', '0'].includes(field(156, 1))
    if (isFile && path.startsWith('..')) throw new Error(`the archive contains a path outside its folder: ${path}`)
    if (isFile) yield { path, mode: Number.parseInt(field(100, 8), 8) & 0o777, content: archive.subarray(at + block, at + block + size) }
    at += block + Math.ceil(size / block) * block
  }
}
