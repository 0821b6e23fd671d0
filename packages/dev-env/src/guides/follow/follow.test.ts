import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { follow } from './follow.ts'
import { readSkill } from './read-skill.ts'

/** The follower against a service and a file that know nothing of a market: what it can do is the notation. */

const fence = '```'
const file = (url: string, lines: readonly string[]): string => `# A file

- Route \`main\`: One step.
  - caller: \`ask\`

${fence}signature-base
"@method": {method}
"@signature-params": {params}
${fence}

${fence}signature-params
({components});created={created}
${fence}

${fence}signature-headers
Signature: x=:{signature}:
${fence}

### ask

Why.

${fence}http
POST ${url}/things/{wallet}
X-Given: {wallet}
X-None: {nothing}

{"wallet":"{wallet}","none":"{nothing}","number":1}
${fence}

${lines.map((line) => `- ${line}\n`).join('')}
`

const key = `0x${'46'.repeat(32)}` as const
const wallet = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const seen: { url: string; headers: Record<string, unknown>; body: unknown }[] = []
let statuses: number[] = []
const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (part: string) => (text += part))
  request.on('end', () => {
    seen.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(text) })
    const status = statuses.shift() ?? 200
    response.writeHead(status, { 'retry-after': '0' })
    response.end(JSON.stringify({ state: 'open', owner: '0xABCD', detail: { retryable: status === 503 } }))
  })
})
let url: string
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` // a TCP server has a port
})
afterAll(() => {
  server.close()
})

const followed = (...lines: string[]) => follow(readSkill(file(url, lines)), 'main', 'caller', { key, files: {} })

describe('a program that follows a printed file', () => {
  test('fills in what it has, and leaves out what it has not', async () => {
    seen.length = 0
    await followed('Unsigned.', 'Answer `200`.')
    expect(seen[0]).toMatchObject({ url: `/things/${wallet}`, body: { wallet, number: 1 } })
    expect(seen[0]?.body).not.toHaveProperty('none')
    expect(seen[0]?.headers).toMatchObject({ 'x-given': wallet })
    expect(seen[0]?.headers).not.toHaveProperty('x-none')
  })

  test('stops where a check does not hold, and compares hex without case', async () => {
    await expect(followed('Unsigned.', 'Answer `200`.', 'Check `/owner` is `0xabcd`.')).resolves.toBeDefined()
    await expect(followed('Unsigned.', 'Answer `200`.', 'Check `/owner` is `{wallet}`.')).rejects.toThrow('is not')
  })

  test('gives up where the file says so', async () => {
    await expect(followed('Unsigned.', 'Answer `200`.', 'Give up if `/state` is `open`.')).rejects.toThrow('gives up')
  })

  test('sends again what may succeed later, and nothing else', async () => {
    statuses = [503, 503]
    await expect(followed('Unsigned.', 'Answer `200`.')).resolves.toBeDefined()
    statuses = [409]
    await expect(followed('Unsigned.', 'Answer `200`.')).rejects.toThrow('409')
    expect(statuses).toEqual([])
  })

  test('refuses a line that the notation does not have', async () => {
    await expect(async () => followed('Unsigned.', 'Guess `x`.')).rejects.toThrow('not a line of the notation')
  })
})
