import * as Type from 'typebox'
import { id, instant, nullable, open, usd, wallet } from '../schema.ts'
import { categories, evidenceTypes, listingAvailabilities } from '../vocabulary.ts'
import { correlation } from './correlation.ts'
import { pictureUrl } from './picture.ts'
import { executorReputation } from './task.ts'

/** A service listing: discovery only, no money is bound to it (spec §1.7). */
export const listing = open({
  id: id('The listing.'),
  seller_executor_id: id('The worker who sells.'),
  seller_name: nullable(Type.String({ description: 'What the seller calls itself; no proof of who it is.' })),
  seller_picture_url: pictureUrl('the seller'),
  seller_wallet: wallet('The wallet an order pays.'),
  title: Type.String(),
  description: Type.String(),
  category: Type.Enum([...categories]),
  unit_price_usd: usd('Price of one order: the gross bounty of its task.'),
  skills: Type.Array(Type.String()),
  evidence_schema: Type.Array(Type.Enum([...evidenceTypes])),
  payment_network: Type.String({
    description: 'Where an order is paid unless the buyer chooses another accepted network.',
  }),
  accepted_networks: Type.Array(Type.String()),
  availability: Type.Enum([...listingAvailabilities]),
  orders_count: Type.Integer(),
  seller_reputation: executorReputation,
  seller_correlation: correlation('the signed buyer who asks'),
  has_reputation_history: Type.Boolean({ description: 'False: the seller is new, and null scores mean unrated.' }),
  created_at: instant('When it was posted.'),
  updated_at: instant('When its terms last changed.'),
})
