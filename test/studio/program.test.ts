import { expect, test } from 'vitest'
import { studioSession } from '../../src/programs/studio.ts'

test('the browser of the agent opens and uploads no files of this machine, whatever its profile', async () => {
  for (const profile of [{}, { profile: 'temporary' }, { profile: 'work' }]) {
    const session = await studioSession({ headed: false, ...profile })
    expect(session).toMatchObject({ fileRoots: [], uploadRoots: [], allowEval: false, launch: { headless: true }, ...profile })
  }
})
