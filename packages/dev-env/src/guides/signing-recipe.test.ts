import { skillFile, llmsText } from '@ergon/contract'
import { privateKeySigner, signRequest, type Hex } from '@ergon/protocols'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { readSkill } from './follow/read-skill.ts'
import { signAsPrinted } from './follow/sign.ts'

const about = { baseUrl: 'https://market.example', version: '1' }
const file = readSkill(skillFile(about))
const vector = Object.fromEntries(
  file
    .block('signature-example')
    .split('\n')
    .map((line) => {
      const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? []
      return [name, value]
    }),
)
const {
  key,
  method = '',
  authority = '',
  path = '',
  query = '',
  body = '',
  created,
  nonce = '',
  chain_id = '',
} = vector
const url = `https://${authority}${path}${query}`

describe('the printed signing recipe', () => {
  test('followed line by line, it gives the text, the hash and the signature that are printed beside it', async () => {
    const account = privateKeyToAccount(key as Hex) // printed as one
    expect(account.address.toLowerCase()).toBe(vector['wallet'])
    const parts = { method, url, body, chainId: chain_id, created: Number(created), nonce }
    const signed = await signAsPrinted(file.recipe, account, parts)
    expect(signed.base).toBe(file.block('signature-example-text'))
    expect(signed.hash).toBe(vector['hash'])
    expect(signed.headers).toMatchObject({
      'Content-Digest': vector['content_digest'],
      Signature: `eth=:${vector['signature'] ?? ''}:`,
    })
  })

  test('it gives the headers that the client library sends', async () => {
    const ours = await signRequest(
      { method, url, body },
      { signer: privateKeySigner(key as Hex), chainId: Number(chain_id), now: Number(created), nonce }, // as above
    )
    expect(ours['content-digest']).toBe(vector['content_digest'])
    expect(ours['signature']).toBe(`eth=:${vector['signature'] ?? ''}:`)
    expect(ours['signature-input']).toBe(
      `eth=${/^"@signature-params": (.*)$/m.exec(file.block('signature-example-text'))?.[1] ?? ''}`,
    )
  })

  test('llms.txt prints the same recipe', () => {
    const short = readSkill(llmsText(about))
    expect(short.recipe).toEqual(file.recipe)
    expect(short.block('signature-example')).toBe(file.block('signature-example'))
  })
})
