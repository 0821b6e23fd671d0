import { bytesToHex, hexToBytes, isHex32 } from '@ergon/protocols'
import { signAsPayer, solanaSeedSigner } from '@ergon/sdk'
import { onDevice } from '../../lib/kept.ts'
import { fundTestWallet } from '../../wallet/test-wallet.ts'
import type { SolanaAccount } from './solana-wallets.ts'

const kept = 'local.ergon.test-solana-wallet'

/** The key of the local test wallet, made and given test dollars when it is first asked for. */
export async function connectTestWallet(faucetUrl: string): Promise<SolanaAccount> {
  const known = onDevice.read(kept)
  const seed = known !== null && isHex32(known) ? hexToBytes(known) : crypto.getRandomValues(new Uint8Array(32))
  const signer = solanaSeedSigner(seed)
  if (known === null) {
    onDevice.keep(kept, bytesToHex(seed))
    await fundTestWallet(faucetUrl, signer.address)
  }
  return {
    address: signer.address,
    signTransaction: (wire) => signAsPayer(wire, signer),
    signMessage: async (bytes) => Promise.resolve(signer.sign(bytes)),
  }
}
