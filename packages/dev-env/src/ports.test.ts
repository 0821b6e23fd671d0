import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from './ports.ts'

/** What the kernel gives to connections and to listeners that ask for any port; where it says so. */
async function ephemeralFrom(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '32768')
  return Number(range.split(/\s/)[0])
}

test('a port that is given out is given once, and the kernel gives it to nobody meanwhile', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()))
  expect(new Set(ports).size).toBe(50)
  expect(Math.max(...ports)).toBeLessThan(await ephemeralFrom())
})

test('of a preferred port, the next one is given that is free and not taken', async () => {
  await using server = createServer()
  const busy = await freePort()
  await new Promise<void>((resolve) => server.listen(busy, '127.0.0.1', resolve))
  expect(await freePort(busy, new Set([busy + 1]))).toBeGreaterThan(busy + 1)
})
