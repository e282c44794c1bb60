// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Macros that other libraries' headers define, each to what does not compile: no header of sumfac may use their names.
// Names of functions are taken only where a `(` follows, as there.

// Headers below those of users are no headers of the system to clang++ here, which would warn of their namespaces.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Winline-namespace-reopened-noninline"
#endif

// Headers of the system come first: what such macros do to them is not for sumfac to mend.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cfloat>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#include <version>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

// Users' numbers, -DN=7, and registers; T is a name of ours.
#undef A
#define A @
#undef B
#define B @
#undef C
#define C @
#undef D
#define D @
#undef E
#define E @
#undef F
#define F @
#undef G
#define G @
#undef H
#define H @
#undef I
#define I @
#undef J
#define J @
#undef K
#define K @
#undef L
#define L @
#undef M
#define M @
#undef N
#define N @
#undef O
#define O @
#undef P
#define P @
#undef Q
#define Q @
#undef R
#define R @
#undef S
#define S @
#undef U
#define U @
#undef V
#define V @
#undef W
#define W @
#undef X
#define X @
#undef Y
#define Y @
#undef Z
#define Z @

// X11: X.h, Xlib.h, Xutil.h
#undef None
#define None @
#undef ParentRelative
#define ParentRelative @
#undef CopyFromParent
#define CopyFromParent @
#undef PointerWindow
#define PointerWindow @
#undef InputFocus
#define InputFocus @
#undef PointerRoot
#define PointerRoot @
#undef AnyKey
#define AnyKey @
#undef AnyButton
#define AnyButton @
#undef CurrentTime
#define CurrentTime @
#undef NoSymbol
#define NoSymbol @
#undef KeyPress
#define KeyPress @
#undef KeyRelease
#define KeyRelease @
#undef MotionNotify
#define MotionNotify @
#undef FocusIn
#define FocusIn @
#undef FocusOut
#define FocusOut @
#undef Expose
#define Expose @
#undef CreateNotify
#define CreateNotify @
#undef DestroyNotify
#define DestroyNotify @
#undef MapNotify
#define MapNotify @
#undef ClientMessage
#define ClientMessage @
#undef GenericEvent
#define GenericEvent @
#undef LASTEvent
#define LASTEvent @
#undef PlaceOnTop
#define PlaceOnTop @
#undef PlaceOnBottom
#define PlaceOnBottom @
#undef GrabSuccess
#define GrabSuccess @
#undef AlreadyGrabbed
#define AlreadyGrabbed @
#undef RevertToNone
#define RevertToNone @
#undef Success
#define Success @
#undef BadRequest
#define BadRequest @
#undef BadValue
#define BadValue @
#undef BadMatch
#define BadMatch @
#undef BadAccess
#define BadAccess @
#undef BadAlloc
#define BadAlloc @
#undef BadColor
#define BadColor @
#undef BadName
#define BadName @
#undef BadLength
#define BadLength @
#undef BadImplementation
#define BadImplementation @
#undef InputOutput
#define InputOutput @
#undef InputOnly
#define InputOnly @
#undef CenterGravity
#define CenterGravity @
#undef NotUseful
#define NotUseful @
#undef WhenMapped
#define WhenMapped @
#undef Always
#define Always @
#undef IsViewable
#define IsViewable @
#undef DestroyAll
#define DestroyAll @
#undef Above
#define Above @
#undef Below
#define Below @
#undef TopIf
#define TopIf @
#undef BottomIf
#define BottomIf @
#undef Opposite
#define Opposite @
#undef RaiseLowest
#define RaiseLowest @
#undef LowerHighest
#define LowerHighest @
#undef GXclear
#define GXclear @
#undef GXand
#define GXand @
#undef GXcopy
#define GXcopy @
#undef GXset
#define GXset @
#undef LineSolid
#define LineSolid @
#undef CapNotLast
#define CapNotLast @
#undef CapButt
#define CapButt @
#undef CapRound
#define CapRound @
#undef JoinMiter
#define JoinMiter @
#undef JoinRound
#define JoinRound @
#undef JoinBevel
#define JoinBevel @
#undef FillSolid
#define FillSolid @
#undef FillTiled
#define FillTiled @
#undef EvenOddRule
#define EvenOddRule @
#undef WindingRule
#define WindingRule @
#undef Unsorted
#define Unsorted @
#undef YSorted
#define YSorted @
#undef YXSorted
#define YXSorted @
#undef YXBanded
#define YXBanded @
#undef CoordModeOrigin
#define CoordModeOrigin @
#undef Complex
#define Complex @
#undef Nonconvex
#define Nonconvex @
#undef Convex
#define Convex @
#undef ArcChord
#define ArcChord @
#undef ZPixmap
#define ZPixmap @
#undef AllocNone
#define AllocNone @
#undef AllocAll
#define AllocAll @
#undef StaticGray
#define StaticGray @
#undef GrayScale
#define GrayScale @
#undef StaticColor
#define StaticColor @
#undef PseudoColor
#define PseudoColor @
#undef TrueColor
#define TrueColor @
#undef DirectColor
#define DirectColor @
#undef LSBFirst
#define LSBFirst @
#undef MSBFirst
#define MSBFirst @
#undef Bool
#define Bool @
#undef Status
#define Status @
#undef True
#define True @
#undef False
#define False @
#undef QueuedAlready
#define QueuedAlready @
#undef AllPlanes
#define AllPlanes @
#undef NoValue
#define NoValue @
#undef AllValues
#define AllValues @
#undef NormalState
#define NormalState @
#undef ZoomState
#define ZoomState @
#undef RectangleIn
#define RectangleIn @
#undef RectanglePart
#define RectanglePart @
#undef RootWindow
#define RootWindow(...) @
#undef DefaultScreen
#define DefaultScreen(...) @
#undef BlackPixel
#define BlackPixel(...) @
#undef DisplayWidth
#define DisplayWidth(...) @
#undef DisplayHeight
#define DisplayHeight(...) @
#undef DisplayCells
#define DisplayCells(...) @
#undef ScreenCount
#define ScreenCount(...) @
#undef BitmapUnit
#define BitmapUnit(...) @
#undef BitmapPad
#define BitmapPad(...) @
#undef NextRequest
#define NextRequest(...) @

// Windows: minwindef.h, rpcndr.h, wingdi.h, winerror.h, winbase.h, inaddr.h
#undef near
#define near @
#undef far
#define far @
#undef NEAR
#define NEAR @
#undef FAR
#define FAR @
#undef small
#define small @
#undef hyper
#define hyper @
#undef interface
#define interface @
#undef pascal
#define pascal @
#undef cdecl
#define cdecl @
#undef IN
#define IN @
#undef OUT
#define OUT @
#undef OPTIONAL
#define OPTIONAL @
#undef CONST
#define CONST @
#undef VOID
#define VOID @
#undef TRUE
#define TRUE @
#undef FALSE
#define FALSE @
#undef THIS
#define THIS @
#undef STRICT
#define STRICT @
#undef CALLBACK
#define CALLBACK @
#undef WINAPI
#define WINAPI @
#undef APIENTRY
#define APIENTRY @
#undef DELETE
#define DELETE @
#undef ERROR
#define ERROR @
#undef NO_ERROR
#define NO_ERROR @
#undef ABSOLUTE
#define ABSOLUTE @
#undef RELATIVE
#define RELATIVE @
#undef TRANSPARENT
#define TRANSPARENT @
#undef OPAQUE
#define OPAQUE @
#undef ALTERNATE
#define ALTERNATE @
#undef WINDING
#define WINDING @
#undef DIFFERENCE
#define DIFFERENCE @
#undef PASSTHROUGH
#define PASSTHROUGH @
#undef BLACKNESS
#define BLACKNESS @
#undef INFINITE
#define INFINITE @
#undef IGNORE
#define IGNORE @
#undef MAX_PATH
#define MAX_PATH @
#undef DOMAIN
#define DOMAIN @
#undef OVERFLOW
#define OVERFLOW @
#undef UNDERFLOW
#define UNDERFLOW @
#undef SING
#define SING @
#undef s_addr
#define s_addr @
#undef s_host
#define s_host @
#undef s_net
#define s_net @
#undef s_imp
#define s_imp @
#undef s_lh
#define s_lh @
#undef GetObject
#define GetObject @
#undef GetMessage
#define GetMessage @
#undef SendMessage
#define SendMessage @
#undef CreateWindow
#define CreateWindow @
#undef LoadImage
#define LoadImage @
#undef DrawText
#define DrawText @
#undef CopyFile
#define CopyFile @
#undef GetClassName
#define GetClassName @
#undef rad1
#define rad1 @
#undef chx1
#define chx1 @
#undef grp1
#define grp1 @
#undef lst1
#define lst1 @
#undef frm1
#define frm1 @
#undef stc1
#define stc1 @
#undef min
#define min(...) @
#undef max
#define max(...) @
#undef Yield
#define Yield(...) @
#undef RGB
#define RGB(...) @
#undef MAKEWORD
#define MAKEWORD(...) @
#undef LOWORD
#define LOWORD(...) @
#undef HIWORD
#define HIWORD(...) @
#undef LOBYTE
#define LOBYTE(...) @
#undef HIBYTE
#define HIBYTE(...) @

// macOS: AssertMacros.h, ConditionalMacros.h, MacTypes.h, Objective-C
#undef YES
#define YES @
#undef NO
#define NO @
#undef nil
#define nil @
#undef Nil
#define Nil @
#undef BOOL
#define BOOL @
#undef HZ
#define HZ @
#undef PAGE_SIZE
#define PAGE_SIZE @
#undef IBOutlet
#define IBOutlet @
#undef IBAction
#define IBAction @
#undef check
#define check(...) @
#undef check_noerr
#define check_noerr(...) @
#undef check_string
#define check_string(...) @
#undef check_noerr_string
#define check_noerr_string(...) @
#undef ncheck
#define ncheck(...) @
#undef ncheck_string
#define ncheck_string(...) @
#undef verify
#define verify(...) @
#undef verify_action
#define verify_action(...) @
#undef verify_noerr
#define verify_noerr(...) @
#undef verify_string
#define verify_string(...) @
#undef nverify
#define nverify(...) @
#undef require
#define require(...) @
#undef require_action
#define require_action(...) @
#undef require_noerr
#define require_noerr(...) @
#undef require_quiet
#define require_quiet(...) @
#undef require_string
#define require_string(...) @
#undef nrequire
#define nrequire(...) @
#undef debug_string
#define debug_string(...) @

// The complex numbers of C: complex.h
#undef complex
#define complex @
#undef imaginary
#define imaginary @

// Arduino.h and avr/io.h
#undef HIGH
#define HIGH @
#undef LOW
#define LOW @
#undef INPUT
#define INPUT @
#undef OUTPUT
#define OUTPUT @
#undef INPUT_PULLUP
#define INPUT_PULLUP @
#undef PI
#define PI @
#undef HALF_PI
#define HALF_PI @
#undef TWO_PI
#define TWO_PI @
#undef DEG_TO_RAD
#define DEG_TO_RAD @
#undef RAD_TO_DEG
#define RAD_TO_DEG @
#undef EULER
#define EULER @
#undef SERIAL
#define SERIAL @
#undef DISPLAY
#define DISPLAY @
#undef LSBFIRST
#define LSBFIRST @
#undef MSBFIRST
#define MSBFIRST @
#undef CHANGE
#define CHANGE @
#undef FALLING
#define FALLING @
#undef RISING
#define RISING @
#undef DEFAULT
#define DEFAULT @
#undef EXTERNAL
#define EXTERNAL @
#undef INTERNAL
#define INTERNAL @
#undef B00000001
#define B00000001 @
#undef B11111111
#define B11111111 @
#undef SP
#define SP @
#undef SREG
#define SREG @
#undef abs
#define abs(...) @
#undef round
#define round(...) @
#undef radians
#define radians(...) @
#undef degrees
#define degrees(...) @
#undef sq
#define sq(...) @
#undef constrain
#define constrain(...) @
#undef bit
#define bit(...) @
#undef word
#define word(...) @
#undef lowByte
#define lowByte(...) @
#undef highByte
#define highByte(...) @
#undef bitRead
#define bitRead(...) @
#undef bitSet
#define bitSet(...) @
#undef bitClear
#define bitClear(...) @
#undef bitToggle
#define bitToggle(...) @
#undef bitWrite
#define bitWrite(...) @
#undef _BV
#define _BV(...) @
#undef interrupts
#define interrupts(...) @
#undef noInterrupts
#define noInterrupts(...) @
#undef cli
#define cli(...) @
#undef sei
#define sei(...) @

// glibc: sys/sysmacros.h, sys/param.h, and the names of the system that GNU modes define
#undef unix
#define unix @
#undef linux
#define linux @
#undef MAXHOSTNAMELEN
#define MAXHOSTNAMELEN @
#undef NBBY
#define NBBY @
#undef NODEV
#define NODEV @
#undef major
#define major(...) @
#undef minor
#define minor(...) @
#undef makedev
#define makedev(...) @
#undef MIN
#define MIN(...) @
#undef MAX
#define MAX(...) @
#undef howmany
#define howmany(...) @
#undef roundup
#define roundup(...) @
#undef powerof2
#define powerof2(...) @
#undef setbit
#define setbit(...) @
#undef clrbit
#define clrbit(...) @
#undef isset
#define isset(...) @
#undef isclr
#define isclr(...) @
#undef CTRL
#define CTRL(...) @

// termios.h and curses.h
#undef B50
#define B50 @
#undef B75
#define B75 @
#undef B110
#define B110 @
#undef B300
#define B300 @
#undef B9600
#define B9600 @
#undef CS5
#define CS5 @
#undef CS6
#define CS6 @
#undef CS7
#define CS7 @
#undef CS8
#define CS8 @
#undef ECHO
#define ECHO @
#undef ECHOE
#define ECHOE @
#undef ISIG
#define ISIG @
#undef ICANON
#define ICANON @
#undef OPOST
#define OPOST @
#undef NL0
#define NL0 @
#undef NL1
#define NL1 @
#undef CR0
#define CR0 @
#undef CR1
#define CR1 @
#undef CR2
#define CR2 @
#undef CR3
#define CR3 @
#undef TAB0
#define TAB0 @
#undef TAB1
#define TAB1 @
#undef TAB2
#define TAB2 @
#undef TAB3
#define TAB3 @
#undef BS0
#define BS0 @
#undef BS1
#define BS1 @
#undef FF0
#define FF0 @
#undef FF1
#define FF1 @
#undef VT0
#define VT0 @
#undef VT1
#define VT1 @
#undef XTABS
#define XTABS @
#undef IXON
#define IXON @
#undef HUPCL
#define HUPCL @
#undef CREAD
#define CREAD @
#undef ERR
#define ERR @
#undef OK
#define OK @
#undef timeout
#define timeout(...) @
#undef getch
#define getch(...) @
#undef inch
#define inch(...) @
#undef scroll
#define scroll(...) @
#undef instr
#define instr(...) @
#undef standout
#define standout(...) @
#undef standend
#define standend(...) @
#undef touchline
#define touchline(...) @
#undef border
#define border(...) @
#undef hline
#define hline(...) @
#undef vline
#define vline(...) @
#undef getyx
#define getyx(...) @

// Qt: qobjectdefs.h, qforeach.h
#undef slots
#define slots @
#undef signals
#define signals @
#undef emit
#define emit @
#undef forever
#define forever @
#undef foreach
#define foreach(...) @
#undef SIGNAL
#define SIGNAL(...) @
#undef SLOT
#define SLOT(...) @
#undef METHOD
#define METHOD(...) @
#undef Q_EMIT
#define Q_EMIT(...) @

// Widespread macros of programs: GLib's, f2c.h's, Linux's, Numerical Recipes'
#undef ABS
#define ABS(...) @
#undef CLAMP
#define CLAMP(...) @
#undef SQR
#define SQR(...) @
#undef SIGN
#define SIGN(...) @
#undef SWAP
#define SWAP(...) @
#undef SHFT
#define SHFT(...) @
#undef FMAX
#define FMAX(...) @
#undef IMAX
#define IMAX(...) @
#undef dabs
#define dabs(...) @
#undef dmin
#define dmin(...) @
#undef dmax
#define dmax(...) @
#undef bit_test
#define bit_test(...) @
#undef bit_set
#define bit_set(...) @
#undef bit_clear
#define bit_clear(...) @
#undef likely
#define likely(...) @
#undef unlikely
#define unlikely(...) @
#undef container_of
#define container_of(...) @
#undef ARRAY_SIZE
#define ARRAY_SIZE(...) @
#undef DIM
#define DIM(...) @

#include <all_headers.hpp>

#include "program.hpp"
