import { returnSignature, walletAction, type WalletAction } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { Door, Json, Place } from './doors.ts'

export const isBlock = Compile(walletAction)
export const blockIn = (body: Json): WalletAction | undefined => body['wallet_action'] as WalletAction | undefined

/** Signs block after block with a wallet that knows nothing of the service, until none is asked for. */
export async function signAll(
  door: Door,
  place: Place,
  name: string,
  args: Json,
): Promise<{ readonly body: Json; readonly parameters: readonly string[] }> {
  const wallet = privateKeyToAccount(place.publisher.key)
  const parameters: string[] = []
  let body = await door.call(place, name, args)
  for (let block = blockIn(body); block !== undefined; block = blockIn(body)) {
    expect(isBlock.Check(block), JSON.stringify(block)).toBe(true)
    expect(block).toMatchObject({ kind: 'eip712', reason: expect.any(String) })
    const document = block.typed_data
    // Both signers are given the very document.
    expect(block.paybox?.arguments).toEqual({ intent: { op: 'typedData', typedData: document } })
    expect(JSON.parse(String(block.ows?.arguments['typed_data']))).toEqual(document)
    const back = block.how_to_return
    parameters.push(back.parameter)
    expect(parameters.length).toBeLessThan(4)
    const signature = await wallet.signTypedData(document as unknown as Parameters<typeof wallet.signTypedData>[0])
    body = await door.call(
      place,
      door.named === 'tool' ? back.tool : String(back.action),
      returnSignature(block, signature),
    )
  }
  return { body, parameters }
}

export const resultOf = (body: Json): Json => (body['result'] ?? body) as Json
