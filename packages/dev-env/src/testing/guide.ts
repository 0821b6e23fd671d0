import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One block of code of a guide; `notRun` is the reason beside it, where no test runs it. */
export type GuideBlock = { readonly language: string; readonly text: string; readonly notRun: string | undefined }

/** A page of docs/guides whose blocks a test runs. */
export type Guide = {
  readonly text: string
  /** The blocks of a language that are to be run, in the order of the page. */
  blocks(language: string): readonly string[]
  /** The languages of blocks that are to be run and that nobody asked for. */
  left(): readonly string[]
}

/** Every block of a page, with the comment above it that says why it is not run. */
export function guideBlocks(name: string): readonly GuideBlock[] {
  const found = read(name).matchAll(/(?:^<!-- not run: ([^\n]*) -->\n)?^```(\w*)\n(.*?)^```$/gms)
  return [...found].map(([, notRun, language = '', text = '']) => ({ language, text, notRun }))
}

/** Opens a page for the test that runs it; what is left in the end was forgotten. */
export function openGuide(name: string): Guide {
  const toRun = guideBlocks(name).filter(({ notRun }) => notRun === undefined)
  const asked = new Set<string>()
  return {
    text: read(name),
    blocks(language) {
      asked.add(language)
      return toRun.filter((block) => block.language === language).map(({ text }) => text)
    },
    left: () => [...new Set(toRun.map(({ language }) => language))].filter((language) => !asked.has(language)),
  }
}

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../docs/guides/${name}`, import.meta.url)), 'utf8')
