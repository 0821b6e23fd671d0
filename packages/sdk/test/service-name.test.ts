import { expect, test } from 'vitest'
import { serviceName } from '../src/service-name.ts'
import { ChallengeMismatch, createClient } from '../src/index.ts'

/** A service reached at one address that says another of itself. */
const named = (baseUrl: string, service_url: unknown): Promise<string> =>
  serviceName(
    createClient({
      baseUrl,
      fetch: () => Promise.resolve(Response.json(service_url === undefined ? {} : { service_url })),
    }),
  )

test.each([
  ['http://localhost:4020', 'http://127.0.0.1:4020', '127.0.0.1:4020'],
  ['http://127.0.0.1:4020', 'http://localhost:4020', 'localhost:4020'],
  ['http://[::1]:4020', 'http://localhost:4020', 'localhost:4020'],
  ['https://market.example', 'https://market.example', 'market.example'],
  ['https://market.example', undefined, 'market.example'],
])('a service reached at %s that calls itself %s is %s in what keys sign', async (reached, said, name) => {
  expect(await named(reached, said)).toBe(name)
})

test.each([
  ['https://market.example', 'https://another.example'],
  ['https://market.example', 'http://127.0.0.1:4020'],
  ['http://localhost:4020', 'https://market.example'],
  ['http://localhost:4020', 'http://127.0.0.1:4021'],
  ['https://localhost.example', 'https://localhost'],
  ['https://market.example', 'no address'],
  ['https://market.example', 7],
])('a service at %s that calls itself %s is not believed: what is signed would be good there', async (at, said) => {
  await expect(named(at, said)).rejects.toThrow(ChallengeMismatch)
})
