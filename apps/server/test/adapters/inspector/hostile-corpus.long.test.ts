import { ownClock } from '@ergon/dev-env/testing'
import { createHash } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FileFacts } from '@ergon/core'
import { afterAll, expect, test } from 'vitest'
import { createCleaner } from '../../../src/adapters/inspector/create-cleaner.ts'
import { createMedia } from '../../../src/adapters/inspector/create-media.ts'
import { claimingHeic, spoilt, type Sample } from '../../../src/testing/hostile-files.ts'
import { goodFiles } from '../../files/hostile-corpus.ts'

const ended: unknown[] = []
const log = {
  warn: (details: Readonly<Record<string, unknown>>): void => {
    ended.push(details['reason'])
  },
}
const files = new Map<string, Uint8Array>()
const media = createMedia({
  read: (key) => Promise.resolve(files.get(key) ?? Buffer.alloc(0)),
  taskOf: () => null,
  processes: 1,
  timeoutMs: 10_000,
  log,
})
const cleaner = createCleaner({ timeoutMs: 10_000, log })
afterAll(() => Promise.all([media[Symbol.asyncDispose](), cleaner[Symbol.asyncDispose]()]))

const perFile = 1_000
let count = 0

async function opened({ contentType, bytes }: Sample): Promise<readonly ['broken' | 'clean', FileFacts['trouble']]> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const key = String((count += 1))
  files.set(key, bytes)
  const [cleaned, facts] = await Promise.all([
    cleaner.clean({ contentType, bytes, taskId: '' }),
    media.inspect({ key, content_type: contentType, bytes: bytes.length, sha256 }),
  ])
  files.delete(key)
  expect([facts.sha256, cleaned === 'broken' || cleaned.sha256]).toEqual([sha256, cleaned === 'broken' || sha256])
  return [cleaned === 'broken' ? 'broken' : 'clean', facts.trouble]
}

test('eleven thousand hostile files of every kind neither stall nor kill anything', async () => {
  const good = await goodFiles()
  for (const sample of good) expect((await opened(sample))[0]).toBe('clean')
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const counts = new Map<string, number>()
  for (const [kind, sample] of good.entries()) {
    for (let seed = 0; seed < perFile; seed += 20) {
      const batch = Array.from({ length: 20 }, (_, index) => ({
        contentType: sample.contentType,
        bytes: spoilt(sample, kind * perFile + seed + index),
      }))
      for (const [copy, trouble] of await Promise.all(batch.map(opened)))
        for (const one of [copy, `trouble: ${String(trouble)}`]) counts.set(one, (counts.get(one) ?? 0) + 1)
    }
  }
  delay.disable()
  expect(ended).toEqual([])
  expect([...counts.keys()].filter((one) => one === 'trouble: timeout' || one === 'trouble: busy')).toEqual([])
  // Both kinds of answer are many: the corpus is neither all harmless nor all refused at its first byte.
  expect(counts.get('broken')).toBeGreaterThan(1_000)
  expect(counts.get('clean')).toBeGreaterThan(1_000)
  expect(delay.percentile(99.9) / 1e6).toBeLessThan(500)
})

test.each([3_000, 20_000, 65_535])(
  'a HEIC that claims 65,535 places in each of %i items of six bytes is refused at once',
  async (items) => {
    const ownMs = ownClock()
    expect(await cleaner.clean({ contentType: 'image/heic', bytes: claimingHeic(items), taskId: '' })).toBe('broken')
    expect(await ownMs()).toBeLessThan(2_000)
    expect(ended).toEqual([])
  },
)
