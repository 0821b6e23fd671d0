import * as Type from 'typebox'
import {
  hex32,
  id,
  instant,
  nullable,
  open,
  paymentEnvelope,
  signatureText,
  typedData,
  usd,
  wallet,
} from '../schema.ts'

/** What one party offers the other to settle a task by (decision 0167). */
export const offer = open({
  id: id('The offer.'),
  task_id: id('The task.'),
  by: Type.Enum(['publisher', 'worker'], { description: 'Who offers; the other side accepts or refuses.' }),
  status: Type.Enum(['open', 'accepted', 'settled', 'refused', 'withdrawn', 'expired'], {
    description: 'accepted: its money is on its way.',
  }),
  worker_amount_usd: usd('What goes to the worker, fee included.'),
  payer_amount_usd: usd('What goes back to the payer.'),
  publisher_wallet: wallet('The payer.'),
  worker_wallet: wallet('The worker.'),
  payment_info_hash: nullable(hex32('The payment that it divides; null where nothing is held.')),
  note: nullable(Type.String({ description: 'What its maker wrote with it.' })),
  nonce: hex32('Of what is signed.'),
  signature: signatureText('Of who offers.'),
  answer: nullable(signatureText('Of who accepted, over the same words.')),
  created_at: instant('When it was made.'),
  expires_at: instant('Until when it can be accepted.'),
})

/** Direct payments to be signed where nothing is held. */
export const asked = nullable(
  open(
    {
      typed_data: typedData(),
      envelope: paymentEnvelope('Put the signature into payload.signature and send the whole as JSON text.'),
    },
    'A direct payment to sign; null where none is asked for.',
  ),
)
