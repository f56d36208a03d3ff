import type { PlaceKind } from './place.ts'

/** The three ways in which markup is read. */
export type MarkupDialect = 'html' | 'svg' | 'xml'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements whose attributes say what is run, loaded or moved, in whatever attribute it is said. */
const CLOSED = words(`
  animate animatecolor animatemotion animatetransform applet base discard embed frame handler iframe link listener
  meta object param script set style
`)

/** Attributes of HTML and SVG that hold a text, a number or a geometry and never an address, code or a style. */
const HARMLESS = words(`
  abbr align-content alt class cols colspan datetime dir headers height high id label lang low max maxlength min
  optimum placeholder role rows rowspan scope size span start summary tabindex title translate value width
  x y x1 x2 y1 y2 cx cy r rx ry dx dy fx fy fr d points transform viewbox preserveaspectratio offset rotate pathlength
  textlength lengthadjust opacity fill-opacity stroke-opacity stop-opacity flood-opacity stroke-width stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit fill-rule clip-rule font-size font-weight
  font-stretch font-variant text-anchor dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing
  gradienttransform gradientunits patternunits patterntransform spreadmethod markerwidth markerheight refx refy orient
  visibility
`)

/** Attributes that take a colour, and `url(…)` as well: a value with a bracket in it is not written there. */
const COLOURS = words('color fill stroke stop-color flood-color lighting-color')

/** Names that in some vocabulary of XML hold an address, code, a style or the name of a vocabulary. */
const DANGEROUS = words(`
  action actuate archive arcrole attributename background base cite classid clip-path codebase content cursor data
  event filter font-family formaction handler href http-equiv icon imagesrcset longdesc manifest marker marker-end
  marker-mid marker-start mask nonamespaceschemalocation observer ping poster profile schemalocation src srcdoc srcset
  style target usemap xmlns
`)

const OWN_DATA = /^(?:data|aria)-[a-z0-9_.-]+$/

/** The name behind a prefix, in lower case: names of XML that differ in their case alone are taken as one. */
export const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase()

/**
 * What kind of place the quoted value of an attribute has, or undefined where none is safe. HTML and SVG have names
 * that are known, and what is not known there is refused; XML has any name, and what is dangerous somewhere is refused.
 */
export const attributeKind = (dialect: MarkupDialect, element: string, name: string): PlaceKind | undefined => {
  const [owner, local] = [localName(element), localName(name)]
  if (CLOSED.has(owner) || local.startsWith('on')) return undefined
  if (COLOURS.has(local)) return 'word'
  if (dialect === 'xml') return DANGEROUS.has(local) || /^xmlns/i.test(name) ? undefined : 'markup'
  const known = name.toLowerCase()
  return HARMLESS.has(known) || OWN_DATA.test(known) ? 'markup' : undefined
}
