import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HandedIn, HandedInFiles } from './adapters/postgres/index.ts'
import { createEvidenceWatch } from './evidence-watch.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** So many submissions with a file each, in the order in which they were handed in. */
function handedIn(count: number) {
  const rows: HandedIn[] = []
  const handIn = (): HandedIn => {
    const row = { submission: String(rows.length).padStart(4, '0'), keys: [`key-${String(rows.length)}`] }
    rows.push(row)
    return row
  }
  for (let made = 0; made < count; made += 1) handIn()
  const files: HandedInFiles = {
    newest: (limit) => Promise.resolve(rows.slice(-limit).reverse()),
    behind: (submission, limit) =>
      Promise.resolve(rows.filter((row) => submission === null || row.submission > submission).slice(0, limit)),
    of: (submissions) => Promise.resolve(rows.filter((row) => submissions.includes(row.submission))),
  }
  return { rows, handIn, files }
}

function watching(files: HandedInFiles) {
  const lost = new Set<string>()
  const asked: string[] = []
  const said: string[] = []
  const watch = createEvidenceWatch({
    handedIn: files,
    holds: (key) => {
      asked.push(key)
      return Promise.resolve(!lost.has(key))
    },
    log: {
      error: (_of: unknown, text?: string) => void said.push(text ?? ''),
      info: (text: unknown) => void said.push(String(text)),
    } as never,
  })
  /** What it says after so many milliseconds, when it has looked. */
  const after = async (ms: number): Promise<boolean> => {
    vi.advanceTimersByTime(ms)
    watch.isMissing()
    for (let turn = 0; turn < 2_000; turn += 1) await Promise.resolve()
    return watch.isMissing()
  }
  return { lost, asked, said, after }
}
const lookMs = 300_001

test('a file that is lost is missing still when newer ones are there, until it is there again', async () => {
  const { rows, handIn, files } = handedIn(3)
  const { lost, said, after } = watching(files)
  lost.add('key-1')
  expect(await after(1)).toBe(true)
  for (let made = 0; made < 200; made += 1) handIn()
  for (let look = 0; look < 10; look += 1) expect(await after(lookMs)).toBe(true)
  expect(said).toEqual(['evidence that was handed in is not where SVC_DATA_DIR or SVC_S3_BUCKET leads'])
  lost.clear()
  expect(await after(10_001)).toBe(false)
  expect(said.at(-1)).toBe('the evidence that was handed in is there again')
  expect(rows).toHaveLength(203)
})

test('one that was taken down is missing no more', async () => {
  const { rows, files } = handedIn(3)
  const { lost, after } = watching(files)
  lost.add('key-1')
  expect(await after(1)).toBe(true)
  rows[1] = { submission: '0001', keys: [] }
  expect(await after(10_001)).toBe(false)
})

test('an old file that is lost alone is found, at a start within seconds and later in its turn', async () => {
  const { files } = handedIn(175)
  const first = watching(files)
  first.lost.add('key-120')
  const atStart = [await first.after(1), await first.after(10_001), await first.after(10_001)]
  expect(atStart).toEqual([false, false, true])

  const later = watching(files)
  for (let look = 0; look < 4; look += 1) expect(await later.after(lookMs)).toBe(false)
  later.lost.add('key-120')
  const turns = [await later.after(lookMs), await later.after(lookMs), await later.after(lookMs)]
  expect(turns).toEqual([false, false, true])
})

test('what is asked of a bucket has a bound, however much is lost', async () => {
  const { files } = handedIn(1_000)
  const { lost, asked, after } = watching(files)
  for (let index = 0; index < 1_000; index += 1) lost.add(`key-${String(index)}`)
  for (let look = 0; look < 30; look += 1) await after(lookMs)
  asked.length = 0
  expect(await after(lookMs)).toBe(true)
  expect(asked.length).toBeLessThanOrEqual(75)
  asked.length = 0
  expect(await after(10_001)).toBe(true)
  expect(asked.length).toBeLessThanOrEqual(25)
})
