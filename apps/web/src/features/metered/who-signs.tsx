import type { ReactNode } from 'react'
import { useMessages } from '../../lib/i18n.tsx'
import { voucherMessages } from './voucher-messages.ts'

const signers = ['service', 'buyer'] as const
export type VoucherSigner = (typeof signers)[number]
type Props = { readonly signer: VoucherSigner; readonly onChange: (signer: VoucherSigner) => void }

/** Who signs for accepted work; it is part of the channel and does not change later. */
export function WhoSigns({ signer, onChange }: Props): ReactNode {
  const say = useMessages(voucherMessages)
  return (
    <fieldset className="grid gap-2">
      <legend className="font-label">{say('who')}</legend>
      {signers.map((one) => (
        <label key={one} className="flex min-h-11 items-start gap-3">
          <input
            type="radio"
            name="voucher-signer"
            className="mt-1 size-5 shrink-0 accent-brand"
            checked={signer === one}
            onChange={() => {
              onChange(one)
            }}
          />
          <span className="grid">
            <span>{say(one)}</span>
            <span className="text-sm text-quiet">{say(`${one}Help`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
