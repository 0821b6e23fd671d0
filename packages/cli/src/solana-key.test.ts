import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { CliError } from './cli-error.ts'
import { makeKey } from './solana-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'ergon-keys-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('a key is made once: whoever makes it again is told its address, and the file stays', () => {
  const path = join(folder, 'buyer.json')
  const { address } = makeKey(path)
  const kept = readFileSync(path, 'utf8')
  expect(makeKey(path)).toEqual({ address, isNew: false })
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([kept, 0o600])
  expect(makeKey(join(folder, 'other.json')).address).not.toBe(address)
})

test.each([
  ['of something else', '{"a": 1}'],
  ['of another sixty-four numbers', JSON.stringify(Array.from({ length: 64 }, () => 7))],
  ['of no JSON', 'dear diary'],
])('a file %s is left alone, and refused', (_what, text) => {
  const path = join(folder, 'diary.txt')
  writeFileSync(path, text)
  expect(() => makeKey(path)).toThrow(CliError)
  expect(readFileSync(path, 'utf8')).toBe(text)
})
