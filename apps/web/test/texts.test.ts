import { globSync, readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { languages } from '../src/lib/language.ts'
import type { Messages } from '../src/lib/messages.ts'

const declared = vi.hoisted(() => [] as Messages[])

vi.mock('../src/lib/messages.ts', async (original) => ({
  ...(await original<object>()),
  defineMessages: (messages: Messages) => {
    declared.push(messages)
    return messages
  },
}))

const source = new URL('../src/', import.meta.url).pathname
// main.tsx begins the app; everything else only declares.
const declaring = globSync('**/*.{ts,tsx}', {
  cwd: source,
  exclude: ['**/*.test.*', 'main.tsx', 'lib/messages.ts'],
}).filter((file) => callsOf(file) > 0)

function callsOf(file: string): number {
  return readFileSync(source + file, 'utf8')
    .matchAll(/\bdefineMessages\(/g)
    .toArray().length
}

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** The names that a text wants, with the words it tells apart: `limit`, `party=agent|human`, `<b>`. */
function argumentsOf(elements: readonly Element[]): readonly string[] {
  return elements.flatMap((element) => {
    // Both kinds of choice carry options; a tag carries what is inside it.
    if ('options' in element) {
      const inner = Object.values(element.options).flatMap(({ value }) => argumentsOf(value))
      return [
        isPlural(element) ? element.value : `${element.value}=${Object.keys(element.options).sort().join('|')}`,
        ...inner,
      ]
    }
    if ('children' in element) return [`<${element.value}>`, ...argumentsOf(element.children)]
    return isLiteral(element) || !('value' in element) ? [] : [element.value]
  })
}

const isPlural = (element: Element): boolean => 'pluralType' in element
/** Plain words are the first kind of the parser's list. */
const isLiteral = ({ type }: Element): boolean => Number(type) === 0
const wanted = (text: string, language: string): readonly string[] =>
  [...new Set(argumentsOf(new IntlMessageFormat(text, language).getAst()))].sort()

describe('The texts of the app', () => {
  beforeAll(async () => {
    // Quick tests share modules: what another file loaded was declared before this one listened.
    vi.resetModules()
    for (const file of declaring) await import(source + file)
  })

  test('are all found here', () => {
    expect(declaring.length).toBeGreaterThan(3)
    expect(declared).toHaveLength(declaring.map(callsOf).reduce((sum, calls) => sum + calls, 0))
  })

  test('exist in every language under the same keys, and none is empty', () => {
    for (const messages of declared) {
      const keys = Object.keys(messages.en).sort()
      for (const language of languages) {
        expect(Object.keys(messages[language]).sort()).toEqual(keys)
        for (const key of keys) expect(messages[language][key]?.trim(), `${language} ${key}`).not.toBe('')
      }
    }
  })

  test('want the same values in every language, and are well formed', () => {
    for (const { en, es } of declared) {
      for (const key of Object.keys(en))
        expect(wanted(es[key] ?? '', 'es'), `${key}: ${String(es[key])}`).toEqual(wanted(en[key] ?? '', 'en'))
    }
  })

  test('never say that an arbiter decides: a deployment may name none', () => {
    const promised =
      /an arbiter (?:decides|settles|reads|calls)|(?:decide|por) un arbitraje|alguien arbitra|se arbitre/i
    const texts = declared.flatMap((messages) => languages.flatMap((language) => Object.values(messages[language])))
    expect(texts.filter((text) => promised.test(text))).toEqual([])
  })

  test('are translated: no sentence is the same in both', () => {
    for (const { en, es } of declared) {
      for (const key of Object.keys(en))
        if ((en[key]?.match(/\p{L}{2,}/gu)?.length ?? 0) > 3) expect(es[key], key).not.toBe(en[key])
    }
  })
})
