import * as Type from 'typebox'
import { open } from '../schema.ts'

/** What files of evidence take. */
export const uploadSizes = open(
  {
    files: Type.Integer({ description: 'Uploads that are stored or have a link.' }),
    bytes: Type.Integer({ description: 'Room they take, their clean copies left out.' }),
    waiting_files: Type.Integer({
      description: 'Of them, those that no submission is known to hold yet; they are purged when their time is over.',
    }),
    waiting_bytes: Type.Integer(),
    today_bytes: Type.Integer({ description: 'Room taken today (UTC), by all wallets.' }),
    day_limit_bytes: Type.Integer({ description: '0 is no limit.' }),
  },
  'What files of evidence take; null while the database cannot be asked.',
)
