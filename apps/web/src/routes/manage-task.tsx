import type { ReactNode } from 'react'
import { Unfinished } from '../components/unfinished.tsx'

export function ManageTaskScreen(): ReactNode {
  return <Unfinished />
}
