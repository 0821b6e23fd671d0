import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { addPictures, peopleAMinute } from '../../src/transports/pictures.ts'
import { addPortfolioPictures, worksAMinute } from '../../src/transports/portfolio-pictures.ts'
import { createPictureLimit, type PictureLimit } from '../../src/transports/public-picture.ts'

const now = () => new Date('2026-11-27T00:00:00Z')
const name = 'ab'.repeat(16)
const bytes = new Uint8Array([1, 2, 3])
const routes = {
  people: {
    address: `/pictures/${name}.jpg`,
    most: peopleAMinute,
    add: (limit: PictureLimit) => {
      const server = Fastify()
      addPictures(server, {
        path: '/pictures/:name.jpg',
        market: { picture: () => Promise.resolve(bytes) },
        limit,
        now,
      })
      return server
    },
  },
  work: {
    address: `/portfolio/00000000-0000-7000-8000-000000000000/${name}.jpg`,
    most: worksAMinute,
    add: (limit: PictureLimit) => {
      const server = Fastify()
      const find = () => Promise.resolve({ bytes, isShown: true })
      addPortfolioPictures(server, { find, isProven: () => false, limit, now })
      return server
    },
  },
} as const

test.each(['people', 'work'] as const)(
  'a picture of %s is sent while its limit lets it, as a picture alone',
  async (of) => {
    const { address, most, add } = routes[of]
    const limit = createPictureLimit(() => true, { ...most, ofAddress: 2 })
    await using server = add(limit)
    const sent = [await server.inject(address), await server.inject(address), await server.inject(address)]
    expect(sent.map(({ statusCode }) => statusCode === 200)).toEqual([true, true, false])
    expect(sent[2]?.json()).toMatchObject({ message: expect.stringMatching(/limit/i) })
    expect(sent[0]?.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      etag: `"${name}"`,
    })
  },
)

test('all addresses together have a limit as well, and none where requests without a signature have none', () => {
  const asked = (limit: PictureLimit, ip: string) => {
    limit({ ip } as Parameters<PictureLimit>[0], now()) // nothing else of a request is read
  }
  const limit = createPictureLimit(() => true, { ofAddress: 2, inAll: 3 })
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) asked(limit, ip)
  expect(() => {
    asked(limit, '192.0.2.4')
  }).toThrow()
  const open = createPictureLimit(() => false, { ofAddress: 1, inAll: 1 })
  for (let count = 0; count < 5; count += 1) asked(open, '192.0.2.1')
})
