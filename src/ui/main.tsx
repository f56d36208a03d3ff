import { render } from 'preact'
import { App } from './app.tsx'
import { SkipLink } from './navigation.tsx'
import './style.css'

const place = document.getElementById('page')
if (place !== null) {
  render(
    <>
      <SkipLink />
      <App />
    </>,
    place,
  )
}
