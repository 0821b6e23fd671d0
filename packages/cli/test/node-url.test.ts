import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { localNodeOf } from '../src/node-url.ts'

const root = mkdtempSync(join(tmpdir(), 'ergon-node-'))
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

test('the local node is the one beside the very service that is asked, and is never guessed', () => {
  const below = join(root, 'a', 'b')
  for (const folder of [below, join(root, '.ergon'), join(root, 'a', '.ergon')]) mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(root, '.ergon', 'constellation.json'),
    JSON.stringify({ serverUrl: 'http://127.0.0.1:4020', rpcUrl: 'http://127.0.0.1:4022' }),
  )
  writeFileSync(join(root, 'a', '.ergon', 'constellation.json'), 'not JSON')
  expect(localNodeOf('http://127.0.0.1:4020', below)).toBe('http://127.0.0.1:4022')
  expect(localNodeOf('http://127.0.0.1:4030', below)).toBeUndefined()
})
