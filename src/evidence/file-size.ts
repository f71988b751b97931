import { stat } from 'node:fs/promises'

/** The size of a file of this machine in bytes; undefined if it is not a file, or cannot be read. */
export const fileSize = (path: string): Promise<number | undefined> =>
  stat(path).then(
    found => (found.isFile() ? found.size : undefined),
    () => undefined,
  )
