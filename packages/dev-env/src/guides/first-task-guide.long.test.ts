import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConstellation, type Constellation } from '../constellation/constellation.ts'
import { drawPicture } from '../demo/picture.ts'
import { openGuide } from '../testing/guide.ts'

/** The code of docs/guides/first-task.md, run as its reader runs it. */

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const guide = openGuide('first-task.md')
const [job = '', alone = '', withPhoto = '', ...moreCode] = guide.blocks('ts')
const [command = '', ...moreCommands] = guide.blocks('sh')
const [output = '', ...moreTexts] = guide.blocks('text')

let constellation: Constellation
let folder: string
beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true })
  mkdirSync(join(root, '.cache'), { recursive: true })
  // Below the clone, as a reader works, so that the code finds the packages.
  folder = mkdtempSync(join(root, '.cache', 'guide-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await constellation.stop()
})

/** What a block prints, saved under the name that the command runs. */
async function printed(block: string): Promise<string> {
  const file = /node (\S+)/.exec(command)?.[1] ?? ''
  const url = constellation.record().serverUrl ?? ''
  writeFileSync(join(folder, file), block.replaceAll('http://127.0.0.1:4020', url))
  const { stdout } = await promisify(execFile)('bash', ['-ec', command], { cwd: folder })
  return stdout
}

/** Ids and transactions differ from run to run. */
const plain = (text: string): string =>
  text.replaceAll(/\b0x[0-9a-f]{64}\b/g, '0x…').replaceAll(/\b[0-9a-f-]{36}\b/g, 'id')

test('nothing of the page is left out', () => {
  expect([moreCode, moreCommands, moreTexts, guide.left()]).toEqual([[], [], [], []])
})

test('the job prints what the page says', async () => {
  expect(plain(await printed(job))).toBe(plain(output))
  // And a reader who runs it again has another task.
  expect(plain(await printed(job))).toBe(plain(output))
})

test('a request that is signed alone is taken, and a photo is handed in', async () => {
  expect(await printed(alone)).toBe('201\n')
  writeFileSync(join(folder, 'menu.jpg'), drawPicture('menu'))
  expect(await printed(withPhoto)).toMatch(/^the task is (?:submitted|verifying)\n$/)
})
