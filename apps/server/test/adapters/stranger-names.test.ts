import { ownClock } from '@ergon/dev-env/testing'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGuardedClient } from '../../src/delivery/guarded-client.ts'
import { GuardedFault } from '../../src/delivery/guarded-target.ts'
import { createHttpClient } from '../../src/adapters/http/http-client.ts'
import { createStrangerNames } from '../../src/delivery/stranger-names.ts'

/** A name server that takes every question and answers none. */
async function startSilence() {
  const socket = createSocket('udp4')
  const heard = { count: 0 }
  socket.on('message', () => {
    heard.count += 1
  })
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  return {
    heard,
    server: `127.0.0.1:${String(socket.address().port)}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        socket.close(() => {
          resolve()
        })
      }),
  }
}

const own = createServer((_request, response) => {
  response.end('{}')
})
beforeAll(
  () =>
    new Promise<void>((resolve) => {
      own.listen(0, '127.0.0.1', resolve)
    }),
)
afterAll(
  () =>
    new Promise<void>((resolve) => {
      own.close(() => {
        resolve()
      })
    }),
)

describe('names of strangers', () => {
  it('whose name server never answers hold up neither one another nor the facilitator and the nodes', async () => {
    await using silence = await startSilence()
    using client = createGuardedClient({
      near: 'loopback',
      resolve: createStrangerNames({ servers: [silence.server], timeoutMs: 1_500 }),
    })
    const held = ownClock()
    const reasons = Promise.all(
      Array.from({ length: 64 }, async (_, at) =>
        client.exchange({ url: `https://n${String(at)}.silent.example/`, method: 'POST', timeoutMs: 5_000 }).then(
          () => 'answered',
          (fault: unknown) => (fault instanceof GuardedFault ? fault.reason : 'other'),
        ),
      ),
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(silence.heard.count).toBeGreaterThanOrEqual(64)
    // As the facilitator and the nodes are asked: by a name, through the system.
    using facilitator = createHttpClient(`http://localhost:${String((own.address() as AddressInfo).port)}`)
    const waited = ownClock()
    expect((await facilitator.exchange({ method: 'GET', path: '/', timeoutMs: 5_000, maxBytes: 100 })).status).toBe(200)
    const waitedMs = await waited()
    expect(await reasons).toEqual(Array.from({ length: 64 }, () => 'unresolvable'))
    const heldMs = await held()
    console.log(
      `64 silent names were given up after ${heldMs.toFixed(0)} ms; the ` +
        `facilitator waited ${waitedMs.toFixed(0)} ms beside them`,
    )
    expect(waitedMs).toBeLessThan(500)
    expect(heldMs).toBeLessThan(3_000)
  })

  it('are refused beyond as many as may be asked at once', async () => {
    await using silence = await startSilence()
    const names = createStrangerNames({ servers: [silence.server], timeoutMs: 800 })
    const asked = await Promise.allSettled(
      Array.from({ length: 600 }, (_, at) => names(`n${String(at)}.silent.example`)),
    )
    expect(asked.filter((one) => one.status === 'rejected' && /too many/.test(String(one.reason))).length).toBe(
      600 - 512,
    )
  })

  it('are looked for in the hosts file first, and those of this machine are asked of nobody', async () => {
    await using silence = await startSilence()
    const folder = await mkdtemp(join(tmpdir(), 'ergon-hosts-'))
    const hostsFile = join(folder, 'hosts')
    await writeFile(
      hostsFile,
      '# a comment\n10.1.2.3  Inner.example other.example # at its end\n::1 inner.example\n127.0.0.9 localhost\n',
    )
    const names = createStrangerNames({ servers: [silence.server], timeoutMs: 500, hostsFile })
    expect(await names('inner.EXAMPLE.')).toEqual(['10.1.2.3', '::1'])
    expect(await names('localhost')).toEqual(['127.0.0.9'])
    expect(await names('a.localhost')).toEqual(['127.0.0.1', '::1'])
    expect(
      await createStrangerNames({ servers: [silence.server], hostsFile: join(folder, 'none') })('localhost'),
    ).toEqual(['127.0.0.1', '::1'])
    expect(silence.heard.count).toBe(0)
    await rm(folder, { recursive: true })
  })
})
