import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { guideBlocks, type GuideBlock } from '../testing/guide.ts'

/** Every block of every guide is run by the test of its page, or says why not, and the reason holds. */

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8')
const guides = globSync('docs/guides/*.md', { cwd: root }).map((path) => path.split('/').at(-1) ?? '')
const testFiles = globSync('{packages,apps}/**/*.test.ts', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
})

/** The test that runs a page: it opens the page and asks in the end what it left out. */
const testOf = (guide: string): string | undefined =>
  testFiles.find((file) => {
    const text = read(file)
    return text.includes(`openGuide('${guide}')`) && text.includes('.left()')
  })

const blocks = guides.flatMap((guide) => guideBlocks(guide).map((block, index) => [guide, index + 1, block] as const))

describe('the guides', () => {
  test('some of their blocks are run and some are not', () => {
    expect(blocks.filter(([, , { notRun }]) => notRun === undefined).length).toBeGreaterThan(20)
    expect(blocks.filter(([, , { notRun }]) => notRun !== undefined).length).toBeGreaterThan(5)
  })

  test('every fence of a page is read as a block', () => {
    for (const guide of guides)
      expect(guideBlocks(guide).length * 2, guide).toBe(read(`docs/guides/${guide}`).match(/^```/gm)?.length ?? 0)
  })

  test.each(blocks)('%s, block %i is run by the test of its page, or says truly why not', (guide, _index, block) => {
    if (block.notRun === undefined) expect(testOf(guide), 'the test of the page').toBeDefined()
    else expect(faultOf(block, guide)).toBeUndefined()
  })
})

/** What brings everything up, with a browser in front of it or without. */
const starts = /\b(?:startConstellation|openTheatre)\(/

/** What is wrong with a reason: it names a file and words that this file and the block share. */
function faultOf({ notRun = '', text }: GuideBlock, guide: string): string | undefined {
  if (notRun === 'the test starts it') {
    const file = testOf(guide)
    if (text !== 'npm ci && npm start\n') return 'it is more than the start'
    return file !== undefined && starts.test(read(file)) ? undefined : 'no test starts it'
  }
  const [, file = '', words = ''] = /^.+ \((\S+): (.+)\)$/.exec(notRun) ?? []
  if (file === '') return 'it names no file'
  if (!existsSync(`${root}${file}`)) return `${file} is gone`
  if (!text.includes(words)) return `the block has no ${words}`
  return read(file).includes(words) ? undefined : `${file} has no ${words}`
}
