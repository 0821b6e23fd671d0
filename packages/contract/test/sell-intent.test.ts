import { describe, expect, test } from 'vitest'
import { sellIntent } from '../src/facts/index.ts'
import { corpus, intentOf, measure, type Measured } from './sell-intent/measure.ts'

const said = ({ of, refused, warned }: Measured['buyers'], who: string): string =>
  `of ${String(of)} ${who} ${String(refused)} are refused and ${String(warned)} warned`

describe('publishing a sell-intent task answers sell_intent_rejected (spec §1.7), and a purchase never does', () => {
  const { buyers, sellers } = measure(corpus['held out'])
  test(`over phrases the rule was not made by: ${said(buyers, 'buyers')}, ${said(sellers, 'sellers')}`, () => {
    expect(buyers.of + sellers.of).toBeGreaterThanOrEqual(140)
    expect(buyers.refused).toBe(0)
    expect(buyers.warned / buyers.of).toBeLessThanOrEqual(0.2)
    expect(sellers.refused / sellers.of).toBeGreaterThanOrEqual(0.65)
    expect((sellers.refused + sellers.warned) / sellers.of).toBeGreaterThanOrEqual(0.95)
  })
  test('over the phrases it was made by', () => {
    const found = measure(corpus.tuning)
    expect(corpus.tuning.buy.filter((title) => intentOf(title) === 'sure')).toEqual([])
    expect(corpus.tuning.sell.filter((title) => intentOf(title) === 'none')).toEqual([])
    expect(found.sellers.refused / found.sellers.of).toBeGreaterThanOrEqual(0.75)
    expect(found.buyers.warned / found.buyers.of).toBeLessThanOrEqual(0.25)
  })
  test('there are 300 phrases, and none is in both halves', () => {
    const [one, other] = [corpus['held out'], corpus.tuning].map(({ buy, sell }) => [...buy, ...sell])
    expect(new Set([...(one ?? []), ...(other ?? [])]).size).toBe((one?.length ?? 0) + (other?.length ?? 0))
    expect((one?.length ?? 0) + (other?.length ?? 0)).toBeGreaterThanOrEqual(300)
  })
  test('the longest texts are read in a second, by one of three readings', () => {
    const long = 'i will '.repeat(2_000)
    const reading = (): number => {
      const from = Date.now()
      for (const title of [long.slice(0, 255), 'we offer '.repeat(28), `pay me ${'and i '.repeat(40)}`])
        for (let count = 0; count < 50; count += 1) sellIntent(title, long)
      return Date.now() - from
    }
    expect(Math.min(reading(), reading(), reading())).toBeLessThan(1_000)
  })
  test('a title that may be an offer is one when the instructions begin like one', () => {
    const instructions = 'I will draw your logo in a day. Send me your colours.'
    expect(sellIntent('Professional logo design', instructions)).toBe('sure')
    expect(sellIntent('Logo for a bakery', instructions)).toBe('unsure')
    expect(sellIntent('Professional logo design', 'Send three drafts and the sources.')).toBe('unsure')
  })
})
