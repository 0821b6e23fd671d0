import { expect, test, vi } from 'vitest'
import { createSigningDesk } from './signing.ts'
import { SigningRefused, WalletFailed } from './wallet-failed.ts'

const intent = { title: 'Sign', mostLostUsd: 0 }
// A wallet rejects with a plain object (EIP-1193).
const rejecting = async (reason: unknown): Promise<never> => {
  throw await Promise.resolve(reason)
}
const signerThat = (throws: unknown): Parameters<ReturnType<typeof createSigningDesk>['explaining']>[0] => ({
  address: '0x1',
  signMessage: () => rejecting(throws),
  signTypedData: () => rejecting(throws),
})

async function signing(throws: unknown): Promise<unknown> {
  const desk = createSigningDesk()
  const signed = desk
    .explaining(signerThat(throws), intent)
    .signMessage('text')
    .catch((error: unknown) => error)
  desk.current()?.agree()
  return signed
}

test('who says no in the wallet has declined, and what the wallet cannot do is told in its own words', async () => {
  expect(await signing({ code: 4001, message: 'User denied' })).toBeInstanceOf(SigningRefused)
  const failed = await signing({ code: -32_603, message: 'Provided chainId "8453" must match the active chainId "1"' })
  expect(failed).toBeInstanceOf(WalletFailed)
  expect(failed).toMatchObject({ reason: 'Provided chainId "8453" must match the active chainId "1"' })
  expect(await signing('locked')).toMatchObject({ reason: 'locked' })
  expect(await signing({ code: 1 })).toMatchObject({ reason: '' })
  // Nobody can fill the page with what a wallet says.
  expect(await signing({ message: 'x'.repeat(5_000) })).toMatchObject({ reason: 'x'.repeat(300) })
})

test('what a wallet signs after it was given up is not told as signed', async () => {
  const late = Promise.withResolvers<`0x${string}`>()
  const onSigned = vi.fn()
  const desk = createSigningDesk()
  const signed = desk
    .explaining({ ...signerThat(undefined), signMessage: () => late.promise }, intent, onSigned)
    .signMessage('text')
    .catch((error: unknown) => error)
  desk.current()?.agree()
  desk.current()?.refuse()
  expect(await signed).toBeInstanceOf(SigningRefused)
  late.resolve('0x11')
  await late.promise
  expect(onSigned).not.toHaveBeenCalled()
})
