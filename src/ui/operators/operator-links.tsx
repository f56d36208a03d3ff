import { Fragment } from 'preact'

/** Ids of operators, each a link to its page. */
export const OperatorLinks = ({ ids }: { readonly ids: readonly string[] }) => (
  <>
    {ids.map((id, at) => (
      <Fragment key={id}>
        {at > 0 && ' · '}
        <a href={`#operators/${id}`}>{id}</a>
      </Fragment>
    ))}
  </>
)
