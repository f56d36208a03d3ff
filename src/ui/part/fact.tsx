import type { ComponentChildren } from 'preact'

interface Props {
  readonly name: string
  readonly children: ComponentChildren
}

/** A fact in a list of them: its name, and what it is. */
export const Fact = ({ name, children }: Props) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** The same in a box of its own, where facts stand beside each other. */
export const FactBox = (props: Props) => (
  <div>
    <Fact {...props} />
  </div>
)
