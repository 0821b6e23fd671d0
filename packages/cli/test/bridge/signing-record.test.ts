import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSigningRecord } from '../../src/bridge/signing-record.ts'
import type { Entry } from '../../src/bridge/limits-of-signing.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'ergon-signed-')), 'of', 'a-wallet')
})
afterEach(() => {
  rmSync(join(folder, '../..'), { recursive: true, force: true })
})

const line = (at: number, counted = '1'): Entry => ({
  at,
  act: 'lock',
  task: 'one',
  amount: counted,
  counted,
  token: null,
  network: null,
  to: null,
  payment: null,
})

test('what one bridge writes another reads, in the order in which it was written', () => {
  expect(openSigningRecord(folder).entries()).toEqual([])
  for (const at of [1, 2, 3]) openSigningRecord(folder).add(() => line(at))
  expect(
    openSigningRecord(folder)
      .entries()
      .map(({ at }) => at),
  ).toEqual([1, 2, 3])
})

test('what is refused writes nothing', () => {
  const record = openSigningRecord(folder)
  record.add(() => line(1))
  expect(() =>
    record.add(() => {
      throw new Error('past the limit')
    }),
  ).toThrow('past the limit')
  expect(record.entries()).toHaveLength(1)
})

test('a bridge that was killed while it wrote leaves nothing that counts or blocks', () => {
  const record = openSigningRecord(folder)
  record.add(() => line(1))
  writeFileSync(join(folder, 'half.new'), '{"at":')
  record.add(() => line(2))
  expect(record.entries()).toHaveLength(2)
})

test('a line that cannot be read stops all signing', () => {
  const record = openSigningRecord(folder)
  record.add(() => line(1))
  writeFileSync(join(folder, '000000002.json'), '{"at":1')
  expect(() => record.entries()).toThrow(/cannot be read/)
  expect(() => record.add(() => line(3))).toThrow(/cannot be read/)
})

test('lines of more than a year ago go, and numbers are never used again', () => {
  const record = openSigningRecord(folder)
  for (const at of [1, 2, 500 * 86_400, 500 * 86_400 + 1]) record.add(() => line(at))
  record.add(() => line(500 * 86_400 + 2))
  expect(record.entries().map(({ at }) => at)).toEqual([500 * 86_400, 500 * 86_400 + 1, 500 * 86_400 + 2])
  expect(readdirSync(folder).sort().at(-1)).toBe('000000005.json')
})

const racer = fileURLToPath(new URL('./racer.ts', import.meta.url))

test('bridges at once never sign for more than one of them could', async () => {
  const runs = Array.from({ length: 6 }, async () => {
    const child = spawn(process.execPath, [racer, folder, '40', '100'], { stdio: ['ignore', 'pipe', 'inherit'] })
    return Number(await text(child.stdout))
  })
  const added = await Promise.all(runs)
  expect(added.reduce((sum, one) => sum + one, 0)).toBe(100)
  expect(openSigningRecord(folder).entries()).toHaveLength(100)
})
