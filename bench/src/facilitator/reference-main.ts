import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { localRoles } from '@ergon/contracts'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

/** The reference facilitator as its documentation wires it, its calls in batches, behind the barest HTTP. */
const [rpcUrl, port] = [process.env['REFERENCE_RPC'], Number(process.env['REFERENCE_PORT'])]
if (rpcUrl === undefined || !(port > 0)) throw new Error('set REFERENCE_RPC and REFERENCE_PORT')
const account = privateKeyToAccount(localRoles.facilitator.privateKey)
const client = createWalletClient({ account, chain: foundry, transport: http(rpcUrl, { batch: true }) }).extend(
  publicActions,
)
// The client's methods are generic over the ABI; the signer's are the same without it.
const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as unknown as Parameters<
  typeof toFacilitatorEvmSigner
>[0])
const facilitator = new x402Facilitator().register('eip155:31337', new ExactEvmScheme(signer))

async function verify(body: Buffer): Promise<string> {
  // Both sides are sent the same well-formed bodies.
  const { paymentPayload, paymentRequirements } = JSON.parse(body.toString()) as {
    paymentPayload: PaymentPayload
    paymentRequirements: PaymentRequirements
  }
  return JSON.stringify(await facilitator.verify(paymentPayload, paymentRequirements))
}

const server = createServer((request, response) => {
  const answer = request.url === '/verify' ? buffer(request).then(verify) : Promise.resolve('{}')
  answer.then(
    (text) => response.setHeader('content-type', 'application/json').end(text),
    (error: unknown) => {
      response.writeHead(500).end(String(error))
    },
  )
})
process.once('SIGTERM', () => process.exit())
process.once('disconnect', () => process.exit())
server.listen(port, '127.0.0.1')
