import { exampleOf } from '../../openapi/example-of.ts'
import { successesOf } from '../../operation.ts'
import { ownCodes } from './code-list.ts'
import { fieldList, type Earlier } from './field-list.ts'
import { boundTo, jsonText, requestText } from './request-text.ts'
import type { Build, Step } from './step.ts'

/** A step of the skill file; what an earlier step printed of the same operation is named there and not again. */
export function stepText(step: Step, baseUrl: string, earlier: Earlier): readonly string[] {
  return [
    `### ${step.name}`,
    '',
    step.what,
    '',
    '```http',
    requestText(step, baseUrl),
    '```',
    '',
    ...conductOf(step),
    '',
    ...operationLines(step, earlier),
    ...(step.more === undefined ? [] : [...step.more, '']),
  ]
}

const quoted = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

/** What to do around the request: the lines that a program follows. */
function conductOf(step: Step): readonly string[] {
  const { onlyIf, until, unless } = step
  const entries = (given: Readonly<Record<string, string>> = {}) => Object.entries(given)
  return [
    `- ${step.unsigned === true ? 'Unsigned' : 'Signed'}.`,
    ...(onlyIf === undefined ? [] : [`- Only if \`{${onlyIf.at}}\` is ${quoted(onlyIf.oneOf)}.`]),
    `- Answer ${quoted(statusesOf(step).map(String))}.`,
    ...(unless === undefined ? [] : [`- Give up if \`${unless.at}\` is ${quoted(unless.oneOf)}.`]),
    ...(until === undefined
      ? []
      : [`- Repeat until \`${until.at}\` is ${until.oneOf.length === 0 ? 'there' : quoted(until.oneOf)}.`]),
    ...entries(step.checks).map(([at, is]) => `- Check \`${at}\` is \`${is}\`.`),
    ...entries(step.keep).map(([name, at]) => `- Keep \`${name}\` from \`${at}\`.`),
    ...entries(step.sign).map(([name, at]) => `- Sign \`${name}\` over \`${at}\`.`),
    ...(step.build ?? []).map(buildLine),
  ]
}

function buildLine({ name, from, set, asText }: Build): string {
  const places = Object.entries(set).map(([at, value]) => `\`${at}\` set to \`${value}\``)
  return `- Build \`${name}\` from \`${from}\` with ${places.join(', ')}${asText === true ? ', as text' : ''}.`
}

function statusesOf({ request }: Step): readonly number[] {
  if ('put' in request) return [request.success]
  const { definition } = boundTo(request.operation)
  return successesOf(definition)
}

function operationLines(step: Step, earlier: Earlier): readonly string[] {
  if ('put' in step.request) return []
  const { operation } = step.request
  const { definition, binding } = boundTo(operation)
  const before = earlier.get(operation)
  if (before !== undefined) return [`Fields, answer and codes: as in \`${before}\`.`, '']
  earlier.set(operation, step.name)
  const fields = fieldList(definition.input, binding, { step: step.name, earlier })
  const codes = ownCodes(definition)
  return [
    ...(fields.length === 0 ? [] : ['Fields:', '', ...fields, '']),
    'Answer, as an example:',
    '',
    '```json',
    jsonText(exampleAnswer(step)),
    '```',
    '',
    ...(codes.length === 0 ? [] : [`Codes: ${quoted(codes)}.`, '']),
  ]
}

/** What every example shows in place of the schema's first word. */
const shownEverywhere: Readonly<Record<string, unknown>> = {
  network: 'localnet',
  payment_network: 'localnet',
  token: 'USDC',
  payment_token: 'USDC',
  bounty_usd: 1,
  gross_usd: 1,
  gross_amount_usdc: 1,
  payout_usd: 0.87,
  worker_net_usdc: 0.87,
  platform_fee_usdc: 0.13,
  offset: 0,
  has_more: false,
  next_cursor: null,
}

/** The example of an answer, with what the step would rather show. */
export function exampleAnswer({ request, shows: own = {} }: Step): unknown {
  if ('put' in request) return null
  const shows = { ...shownEverywhere, ...own }
  const { definition } = boundTo(request.operation)
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(/^0x(?:5f){32,}$/, '0x5f…')
    if (Array.isArray(value)) return value.map(replaced)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, name in shows ? shows[name] : replaced(one)]),
    )
  }
  const example = exampleOf(definition.output)
  return replaced(Object.keys(example as object).length === 0 ? own : example)
}
