import { errorCatalogue } from '@ergon/contract'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** The flows of the market, where no reader of a signature names the price for them. */
const flows = fileURLToPath(new URL('../../../../packages/core/src/flows/', import.meta.url))
const paymentCodes = Object.entries(errorCatalogue).flatMap(([code, { status }]) => (status === 402 ? [code] : []))
const refusals = globSync('*.ts', { cwd: flows }).flatMap((file) => {
  const source = readFileSync(flows + file, 'utf8')
  const found = source.matchAll(new RegExp(`new MarketError\\(\\s*'(${paymentCodes.join('|')})'`, 'g'))
  return [...found].map(({ index, 1: code }) => ({ file, code, text: callAt(source, index) }))
})

/** The call that begins at a place, to its closing parenthesis. */
function callAt(source: string, from: number): string {
  let depth = 0
  for (let at = source.indexOf('(', from); at < source.length; at += 1) {
    if (source[at] === '(') depth += 1
    if (source[at] === ')') depth -= 1
    if (depth === 0) return source.slice(from, at + 1)
  }
  return source.slice(from)
}

test.each(refusals)(
  '$file refuses with $code and names the network and the dollars asked for (spec §7)',
  ({ text }) => {
    expect(text).toContain('askedFor(')
  },
)

test('every flow that refuses a payment is seen', () => {
  expect(refusals.length).toBeGreaterThanOrEqual(9)
})
