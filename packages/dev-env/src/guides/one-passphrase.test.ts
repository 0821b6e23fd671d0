import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { guideBlocks } from '../testing/guide.ts'

const home = mkdtempSync(join(tmpdir(), 'ergon-home-'))
afterAll(() => {
  rmSync(home, { recursive: true, force: true })
})

const pages = readdirSync(new URL('../../../../docs/guides/', import.meta.url)).filter((name) => name.endsWith('.md'))
const linesOf = (page: string): string =>
  guideBlocks(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.includes('ERGON_PASSPHRASE_FILE'))
    .join('\n')
const guides = pages.filter((page) => linesOf(page) !== '')

test('whoever follows a second guide, or one again, keeps the passphrase that opens the keys of the first', () => {
  expect(guides).toContain('work-by-the-tick.md')
  const file = join(home, '.ergon-passphrase')
  const passphrases = [...guides, ...guides].map((page) => {
    execFileSync('bash', ['-ec', linesOf(page)], { env: { PATH: process.env['PATH'], HOME: home } })
    return { text: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 }
  })
  expect(passphrases).toEqual(
    passphrases.map(() => ({ text: expect.stringMatching(/^\S{32}\n$/) as unknown, mode: 0o600 })),
  )
  expect(new Set(passphrases.map(({ text }) => text)).size).toBe(1)
})
