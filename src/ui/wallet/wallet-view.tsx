import type { ViewProps } from '#ui/view-props.ts'
import { Claim } from './claim.tsx'

/** What this browser's account holds, and how it gets more. */
export const WalletView = ({ session, runs }: Pick<ViewProps, 'session' | 'runs'>) => (
  <article>
    <h2>Wallet</h2>
    <Claim session={session} runs={runs} />
  </article>
)
