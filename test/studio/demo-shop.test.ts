import { request } from 'node:http'
import { expect, test } from 'vitest'
import { serveDemoShop } from '../../apps/studio/server/demo-shop.ts'

test('a path that is not a URL is not found, and does not end the process of the studio (F2)', async () => {
  const shop = await serveDemoShop(new URL('../../examples/shop/', import.meta.url))
  const status = (path: string) =>
    new Promise<number | undefined>((resolve, reject) =>
      request(shop.url, { path }, response => resolve(response.resume().statusCode))
        .on('error', reject)
        .end(),
    )
  try {
    expect(await Promise.all(['//[', '//a:b', '/%', '/checkout.html?x=//['].map(status))).toEqual([404, 404, 404, 200])
  } finally {
    shop.close()
  }
})
