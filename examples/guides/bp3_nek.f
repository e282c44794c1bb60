c     SPDX-FileCopyrightText: The sumfac authors
c     SPDX-License-Identifier: BSD-3-Clause
c     BP3 in the words of Nek5000, for a .usr file: docs/from_nek.md.

      subroutine ax_bp3(w,u)
c     w = A u on local vectors, by lx1 + 1 Gauss points a direction
      include 'SIZE'
      include 'TOTAL'
      parameter (lq=lx1+1,lxyz=lx1*ly1*lz1,lqqq=lq**3)
      real w(lxyz,lelt),u(lxyz,lelt)
      common /bp3/ g(6,lqqq,lelt),dq(lq,lq),dqt(lq,lq)
      real uq(lqqq),ur(lqqq),us(lqqq),ut(lqqq),wk(lqqq)
      integer e

      do e=1,nelt
         call intp_rstd    (uq,u(1,e),lx1,lq,if3d,0)
         call local_grad3  (ur,us,ut,uq,lq-1,1,dq,dqt)
         do i=1,lqqq
            wr = g(1,i,e)*ur(i) + g(2,i,e)*us(i) + g(3,i,e)*ut(i)
            ws = g(2,i,e)*ur(i) + g(4,i,e)*us(i) + g(5,i,e)*ut(i)
            wt = g(3,i,e)*ur(i) + g(5,i,e)*us(i) + g(6,i,e)*ut(i)
            ur(i) = wr
            us(i) = ws
            ut(i) = wt
         enddo
         call local_grad3_t(uq,ur,us,ut,lq-1,1,dq,dqt,wk)
         call intp_rstd    (w(1,e),uq,lx1,lq,if3d,1)
      enddo
      call dssum(w,lx1,ly1,lz1)
      call col2 (w,v1mask,lxyz*nelt)
      return
      end

      subroutine set_bp3
c     g = w det(J) J^-1 J^-T at the Gauss points, from xm1, ym1, zm1
      include 'SIZE'
      include 'TOTAL'
      parameter (lq=lx1+1,lqqq=lq**3)
      common /bp3/ g(6,lqqq,lelt),dq(lq,lq),dqt(lq,lq)
      real z(lq),wq(lq),wk(4*lq),xq(lqqq),dx(lqqq,3,3),a(3,3)
      integer e,r,c

      call zwgl   (z,wq,lq)
      call gen_dgl(dq,dqt,lq,lq,wk)
      do e=1,nelt
         do r=1,3
            if (r.eq.1) call intp_rstd(xq,xm1(1,1,1,e),lx1,lq,if3d,0)
            if (r.eq.2) call intp_rstd(xq,ym1(1,1,1,e),lx1,lq,if3d,0)
            if (r.eq.3) call intp_rstd(xq,zm1(1,1,1,e),lx1,lq,if3d,0)
            call local_grad3(dx(1,r,1),dx(1,r,2),dx(1,r,3),
     $                       xq,lq-1,1,dq,dqt)
         enddo
         do i=1,lqqq
            do r=1,3
            do c=1,3
               m = mod(r,3)+1
               n = mod(r+1,3)+1
               k = mod(c,3)+1
               l = mod(c+1,3)+1
               a(c,r) = dx(i,m,k)*dx(i,n,l) - dx(i,m,l)*dx(i,n,k)
            enddo
            enddo
            det = dx(i,1,1)*a(1,1)+dx(i,1,2)*a(2,1)+dx(i,1,3)*a(3,1)
            ix = mod(i-1,lq)+1
            iy = mod((i-1)/lq,lq)+1
            iz = (i-1)/lq**2+1
            wd = wq(ix)*wq(iy)*wq(iz)/det
            l  = 0
            do r=1,3
            do c=r,3
               l = l+1
               g(l,i,e) = wd*(a(r,1)*a(c,1)+a(r,2)*a(c,2)+a(r,3)*a(c,3))
            enddo
            enddo
         enddo
      enddo
      return
      end
