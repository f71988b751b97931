import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { checkSessionRules } from '../../../src/drivers/cdp/session-rules.ts'

test.each([
  [{ hosts: { allow: ['*.com'] } }, '"*.com" allows every domain below com'],
  [{ hosts: { allow: ['shop.example', '*.co.uk'] } }, '"*.co.uk" allows every domain below co.uk'],
  [{ hosts: { allow: ['*.COM:8443'] } }, 'allows every domain below'],
  [{ hosts: { allow: ['*.公司.cn'] } }, 'allows every domain below'],
  [{ hosts: { allow: ['shop.example'], allowResources: ['*.net'] } }, '"*.net" allows every domain below net'],
  [{ hosts: { deny: ['evil.test\u0000'] } }, 'is not a host'],
  [{ uploadRoots: ['/'] }, 'is the root of a drive'],
  [{ fileRoots: [homedir()] }, 'contains the home folder'],
])('a rule that is no rule is refused before a session starts: %j (TRUST C2)', async (options, why) => {
  await expect(checkSessionRules(options)).rejects.toThrow(why)
})

test.each([
  [{ hosts: { allow: ['*.example.com', 'com', 'example.co.uk', '*.localhost', '*.corp', '127.0.0.1'] } }],
  [{ hosts: { deny: ['*.com'] } }],
  [{ hosts: { allow: ['a.example'], allowResources: ['*'] } }],
])('a rule that means something is accepted: %j', async options => {
  await expect(checkSessionRules(options)).resolves.toBeUndefined()
})
