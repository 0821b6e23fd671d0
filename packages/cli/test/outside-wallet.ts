import { hexToBytes, privateKeySigner, type Hex, type Signer } from '@ergon/protocols'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

type Asked = { readonly method: string; readonly params: Readonly<Record<string, unknown>> }
type TypedData = Parameters<Signer['signTypedData']>[0]

/** A wallet of others, as docs/guides/command-line.md describes one: JSON in, JSON out. */
export async function answerAsWallet(signer: Required<Signer>, request: string): Promise<string> {
  const { method, params } = JSON.parse(request) as Asked // what the command line sends
  if (method === 'address') return JSON.stringify({ result: signer.address })
  // Bytes come as hex, typed data as it is to be signed.
  if (method === 'signMessage')
    return JSON.stringify({
      result: await signer.signMessage(
        typeof params['message'] === 'string' ? params['message'] : hexToBytes(params['bytes'] as Hex),
      ),
    })
  if (method === 'signTypedData')
    return JSON.stringify({ result: await signer.signTypedData(params['typed_data'] as TypedData) })
  return JSON.stringify({ error: `this wallet does not ${method}` })
}

// Started as a program it is the wallet behind exec:.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const signer = privateKeySigner(`0x${'5a'.repeat(32)}`)
  process.stdout.write(await answerAsWallet(signer, await text(process.stdin)))
}
